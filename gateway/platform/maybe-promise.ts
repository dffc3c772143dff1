/**
 * Value, or a promise of it. Stages of a request return it instead of a promise if most calls do not have to wait. A promise costs more
 * than many of these stages (`npm run bench pipeline`).
 */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value is a promise. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}

/** Calls `use` with the value: immediately if it is available, otherwise when the promise is fulfilled. */
export function chain<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(use) : use(value);
}
