import type { ExecutionError } from '../../executable-operation.ts';
import type { ErrorPath } from './error-paths.ts';

/** Collects the errors of a response without duplicates and up to a limit. */
export interface ErrorList {
  /** Adds an error. @param error Error whose path consists of response keys of the compiled operation. */
  readonly add: (error: ExecutionError) => void;
  /** Adds an authorization error and removes all other errors at its path and beneath it. */
  readonly deny: (error: ExecutionError & Required<Pick<ExecutionError, 'path'>>) => void;
  /** Whether access to this path, or to a path that encloses it, was denied. */
  isDenied(path: ErrorPath): boolean;
  /** Number of errors that the list can still accept. */
  remaining(): number;
  /** Returns all errors, with the client's response keys in their paths. When errors were left out, the last entry says so. */
  toArray(): readonly ExecutionError[];
}

/**
 * Creates an empty list.
 *
 * @param limit Maximum number of errors.
 * @param aliases Map from the response keys of the compiled operation to the client's response keys.
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
      const position = JSON.stringify(error.path);
      denied ??= new Set();
      denied.add(position);
      const inside = `[${position.slice(0, -1)}`;
      for (const identity of errors?.keys() ?? []) {
        if (identity.startsWith(inside) && ',]'.includes(identity.charAt(inside.length))) errors?.delete(identity);
      }
      add(error);
    },
    isDenied(path) {
      return denied !== undefined && path.some((_element, index) => denied?.has(JSON.stringify(path.slice(0, index + 1))));
    },
    remaining: () => Math.max(0, limit + 1 - (errors?.size ?? 0)),
    toArray() {
      const found = errors === undefined ? [] : [...errors.values()];
      return omitted === undefined
        ? found
        : [...found, { message: 'The response has more errors than this list shows.', code: omitted.code }];
    },
  };
}
