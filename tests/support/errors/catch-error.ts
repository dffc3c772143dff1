type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Returns the value that a call throws, or undefined when it throws nothing. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Resolves with the reason of a rejected promise, or with undefined when the promise is fulfilled. */
export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns an error of a class. @throws the value itself when it is something else; Error when it is undefined, because nothing failed */
export function asErrorOf<E extends Error>(type: ErrorClass<E>, thrown: unknown): E {
  if (thrown instanceof type) return thrown;
  throw thrown ?? new Error(`Expected an error of class ${type.name}, but nothing failed.`);
}
