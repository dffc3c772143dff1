/** Does the work at the first call and gives every later caller the same result; after a failure the next call tries again. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    if (result === undefined) {
      result = work();
      result.catch(() => {
        result = undefined;
      });
    }
    return result;
  };
}
