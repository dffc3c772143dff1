import type { Clock } from '../platform/clock.ts';

/** Points that were taken lately, by key. */
export interface RecentUse {
  /** Adds points. @returns points of this key before, in one to two periods. @unit points */
  add(key: string, points: number): number;
}

/** Maximum number of keys in one period. Further keys are not recorded. */
const MAX_KEYS = 10_000;

/** Creates a record of the current and the previous period. Keys that are no longer used leave it with their period. */
export function createRecentUse(clock: Pick<Clock, 'monotonic'>, periodMs: number): RecentUse {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let startedAt = -Infinity;

  function advance(): void {
    const now = clock.monotonic();
    if (now - startedAt < periodMs) return;
    previous = now - startedAt < 2 * periodMs ? current : new Map<string, number>();
    current = new Map();
    startedAt = now;
  }

  return {
    add(key, points) {
      advance();
      const own = current.get(key);
      if (own !== undefined || current.size < MAX_KEYS) current.set(key, (own ?? 0) + points);
      return (own ?? 0) + (previous.get(key) ?? 0);
    },
  };
}
