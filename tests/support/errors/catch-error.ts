type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Returns what a call throws; undefined where it throws nothing. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Resolves with the reason of a rejected promise; with undefined where the promise is fulfilled. */
export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns an error of a class. @throws the value itself where it is something else; Error where it is undefined: nothing has failed */
export function asErrorOf<E extends Error>(type: ErrorClass<E>, thrown: unknown): E {
  if (thrown instanceof type) return thrown;
  throw thrown ?? new Error(`Expected an error of class ${type.name}, but nothing failed.`);
}
