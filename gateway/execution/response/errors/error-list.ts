import type { ExecutionError } from '../../executable-operation.ts';
import type { ErrorPath } from './error-paths.ts';

/** Collects the errors of a response: each once, and no more than there is room for. */
export interface ErrorList {
  /** @param error with response keys of the compiled operation in its path */
  readonly add: (error: ExecutionError) => void;
  /** Adds what is told of a place that must not be seen: nothing else is told of it or of what is inside. */
  readonly deny: (error: ExecutionError & Required<Pick<ExecutionError, 'path'>>) => void;
  /** Whether a path is that of a place that must not be seen, or inside of one. */
  isDenied(path: ErrorPath): boolean;
  /** How many more there is room for. */
  room(): number;
  /** All of them, in the client's own terms; the last one says so when some were left out. */
  toArray(): readonly ExecutionError[];
}

/**
 * Creates an empty list.
 *
 * @param limit how many errors it takes
 * @param aliases from the response keys of the compiled operation to the client's own
 */
export function createErrorList(limit: number, aliases: ReadonlyMap<string, string> | undefined): ErrorList {
  let errors: Map<string, ExecutionError> | undefined;
  let omitted: ExecutionError | undefined;
  let denied: Set<string> | undefined;
  const toClient = (element: string | number) => (typeof element === 'string' ? (aliases?.get(element) ?? element) : element);
  const add = (error: ExecutionError): void => {
    errors ??= new Map();
    const { message, code, path } = error;
    const identity = JSON.stringify([path, code, message]);
    if (errors.has(identity)) return;
    if (errors.size < limit) errors.set(identity, path === undefined ? error : { ...error, path: path.map(toClient) });
    else omitted ??= error;
  };
  return {
    add,
    deny(error) {
      const place = JSON.stringify(error.path);
      denied ??= new Set();
      denied.add(place);
      const inside = `[${place.slice(0, -1)}`;
      for (const identity of errors?.keys() ?? []) {
        if (identity.startsWith(inside) && ',]'.includes(identity.charAt(inside.length))) errors?.delete(identity);
      }
      add(error);
    },
    isDenied(path) {
      return denied !== undefined && path.some((_element, index) => denied?.has(JSON.stringify(path.slice(0, index + 1))));
    },
    room: () => Math.max(0, limit + 1 - (errors?.size ?? 0)),
    toArray() {
      const found = errors === undefined ? [] : [...errors.values()];
      return omitted === undefined ? found : [...found, { message: 'There were more errors than are listed.', code: omitted.code }];
    },
  };
}
