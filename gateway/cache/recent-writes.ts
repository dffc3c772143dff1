import { fnv1a } from '../platform/fnv1a.ts';
import type { Clock } from '../platform/clock.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';

/** Last writes of callers. After a write, reads of the same caller must not receive data from before the write. */
export interface RecentWrites extends Disposable {
  /** Records a completed write. */
  note(caller: string, labels: readonly string[]): void;
  /** Returns the writes of a caller. Undefined if the caller has no writes. */
  of(caller: string): OwnWrites | undefined;
  /** Whether there are no writes at all, so that no caller has to be looked up. */
  readonly isEmpty: boolean;
}

export interface RecentWritesOptions {
  /**
   * Maximum number of callers whose writes are tracked by label. For further callers, only the time of the last write is tracked, by a hash
   * of the caller.
   *
   * @unit callers
   */
  readonly maxCallers: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Maximum number of labels that are tracked for one caller. Beyond it, a write counts for all labels. */
const MAX_LABELS = 64;
/**
 * Maximum length of a tracked label, because subgraphs choose the length of tags. A write with a longer label counts for all labels.
 *
 * @unit characters
 */
const MAX_LABEL_LENGTH = 256;

/**
 * Number of slots for evicted callers. Callers with equal hashes share a slot, so each of them counts as the writer of all their writes.
 */
const SLOTS = 4_096;

interface RecentWrite {
  /** Time of the last write. */
  at: number;
  /** Time of the last write that counts for all labels. */
  ofAll: number;
  readonly byLabel: Map<string, number>;
}

/** Creates write marks in the memory of this process. Evicted marks become less precise, but are never lost. */
export function createRecentWrites({ maxCallers, clock }: RecentWritesOptions): RecentWrites {
  /** Marks by caller, the oldest last write first. */
  const marks = new Map<string, RecentWrite>();
  let slots: Float64Array | undefined;

  function fold(caller: string, { at }: RecentWrite): void {
    slots ??= new Float64Array(SLOTS).fill(-Infinity);
    slots[slotOf(caller)] = at;
  }

  return {
    get isEmpty() {
      return marks.size === 0;
    },
    note(caller, labels) {
      const at = clock.monotonic();
      const recentWrite = marks.get(caller) ?? { at, ofAll: -Infinity, byLabel: new Map<string, number>() };
      recentWrite.at = at;
      const isBounded = labels.every(({ length }) => length <= MAX_LABEL_LENGTH);
      if (isBounded) for (const label of labels) recentWrite.byLabel.set(label, at);
      if (!isBounded || recentWrite.byLabel.size > MAX_LABELS) {
        recentWrite.ofAll = at;
        recentWrite.byLabel.clear();
      }
      marks.delete(caller);
      marks.set(caller, recentWrite);
      if (marks.size <= maxCallers) return;
      const [oldest] = marks;
      if (oldest === undefined) return;
      marks.delete(oldest[0]);
      fold(...oldest);
    },
    of(caller) {
      const recentWrite = marks.get(caller);
      const ofSlot = slots?.[slotOf(caller)] ?? -Infinity;
      if (recentWrite === undefined && ofSlot === -Infinity) return undefined;
      const { at = ofSlot, ofAll = -Infinity, byLabel } = recentWrite ?? {};
      const whole = Math.max(ofAll, ofSlot);
      return {
        flight: String(at),
        isOutdated: (labels, madeAt) => madeAt <= whole || labels.some((label) => madeAt <= (byLabel?.get(label) ?? -Infinity)),
      };
    },
    [Symbol.dispose]() {
      marks.clear();
    },
  };
}

function slotOf(text: string): number {
  return (fnv1a(text) >>> 0) % SLOTS;
}
