/** Something that ends when a signal is aborted. */
export interface Abortable {
  abort(reason: unknown): void;
}

const followers = new WeakMap<AbortSignal, Set<Abortable>>();

/**
 * Ends `one` when the signal is aborted. All requests of an operation follow its one signal, which has one listener for all
 * of them: adding and removing one each time costs more than everything else that is done with a signal.
 */
export function follow(signal: AbortSignal, one: Abortable): void {
  let all = followers.get(signal);
  if (all === undefined) {
    all = new Set();
    followers.set(signal, all);
    listen(signal, all);
  }
  all.add(one);
}

/** Ends nothing any more. */
export function unfollow(signal: AbortSignal, one: Abortable): void {
  followers.get(signal)?.delete(one);
}

function listen(signal: AbortSignal, all: ReadonlySet<Abortable>): void {
  signal.addEventListener(
    'abort',
    () => {
      for (const one of all) one.abort(signal.reason);
    },
    { once: true },
  );
}
