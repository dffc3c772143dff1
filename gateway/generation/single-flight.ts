/**
 * Does the work at the first call and gives every later caller the same result; after a failure the next call tries again.
 *
 * @param isFinal tells which failures are kept as results are, because trying again would fail again
 */
export function singleFlight<T>(work: () => Promise<T>, isFinal: (error: unknown) => boolean): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    if (result === undefined) {
      result = work();
      result.catch((error: unknown) => {
        if (!isFinal(error)) result = undefined;
      });
    }
    return result;
  };
}
