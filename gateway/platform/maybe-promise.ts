/**
 * A value that is known already, or a promise of it. Stages of a request return one in place of a promise where most calls need not wait:
 * a promise costs more than many of these stages (`npm run bench pipeline`).
 */
export type MaybePromise<T> = T | Promise<T>;

/** Tells if a value has to be waited for. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}

/** Calls `use` with the value: at once where it is known, otherwise when the promise is fulfilled. */
export function chain<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(use) : use(value);
}
