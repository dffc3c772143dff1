import type { ExecutionError } from './executable-operation.ts';

/** Collects the errors of a response: each once, and no more than there is room for. */
export interface ErrorList {
  add(error: ExecutionError): void;
  /** How many more there is room for. */
  room(): number;
  /** All of them; the last one says how many were left out. */
  toArray(): readonly ExecutionError[];
}

/**
 * Creates an empty list.
 *
 * @param limit how many errors it takes
 */
export function createErrorList(limit: number): ErrorList {
  const errors = new Map<string, ExecutionError>();
  let omitted: ExecutionError | undefined;
  return {
    add(error) {
      const identity = JSON.stringify([error.path, error.code, error.message]);
      if (errors.has(identity)) return;
      if (errors.size < limit) errors.set(identity, error);
      else omitted ??= error;
    },
    room: () => Math.max(0, limit + 1 - errors.size),
    toArray() {
      const found = [...errors.values()];
      return omitted === undefined ? found : [...found, { message: 'There were more errors than are listed.', code: omitted.code }];
    },
  };
}
