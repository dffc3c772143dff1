import type { ExecutionError } from '../executable-operation.ts';

/** Collects the errors of a response: each once, and no more than there is room for. */
export interface ErrorList {
  /** @param error with response keys of the compiled operation in its path */
  readonly add: (error: ExecutionError) => void;
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
  const toClient = (element: string | number) => (typeof element === 'string' ? (aliases?.get(element) ?? element) : element);
  return {
    add(error) {
      errors ??= new Map();
      const { message, code, path } = error;
      const identity = JSON.stringify([path, code, message]);
      if (errors.has(identity)) return;
      if (errors.size < limit) errors.set(identity, path === undefined ? error : { message, code, path: path.map(toClient) });
      else omitted ??= error;
    },
    room: () => Math.max(0, limit + 1 - (errors?.size ?? 0)),
    toArray() {
      const found = errors === undefined ? [] : [...errors.values()];
      return omitted === undefined ? found : [...found, { message: 'There were more errors than are listed.', code: omitted.code }];
    },
  };
}
