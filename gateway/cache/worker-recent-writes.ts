import type { PrimaryState } from '../platform/primary-state.ts';
import type { RecentWrites } from './recent-writes.ts';

/**
 * Creates write marks that are sent to the other workers of this machine. A caller may receive older data at another worker until the
 * message arrives there, which takes a few milliseconds.
 */
export function createWorkerRecentWrites(local: RecentWrites, primary: PrimaryState): RecentWrites {
  primary.subscribe((message) => {
    const [caller, labels] = message as readonly [string, readonly string[]];
    local.note(caller, labels);
  });
  return {
    get isEmpty() {
      return local.isEmpty;
    },
    note(caller, labels) {
      local.note(caller, labels);
      primary.publish([caller, labels]);
    },
    of: local.of,
    ofAll: local.ofAll,
    [Symbol.dispose]: local[Symbol.dispose],
  };
}
