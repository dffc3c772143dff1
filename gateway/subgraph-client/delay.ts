import { type Abortable, follow, unfollow } from './follow-signal.ts';

/**
 * Lets time pass.
 *
 * @throws the reason of the signal when that comes first
 */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemDelay: Delay = (ms, signal) =>
  new Promise((resolve, reject) => {
    const ending: Abortable = {
      abort(reason) {
        clearTimeout(timer);
        reject(reason);
      },
    };
    const timer = setTimeout(() => {
      unfollow(signal, ending);
      resolve();
    }, ms);
    follow(signal, ending);
  });
