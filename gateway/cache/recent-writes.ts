import { fnv1a } from '../platform/fnv1a.ts';
import type { Clock } from '../platform/clock.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';

/** Last writes of callers. After a write, reads of the same caller must not receive data from before the write. */
export interface RecentWrites extends Disposable {
  /** Records a completed write. */
  note(caller: string, labels: readonly string[]): void;
  /** Returns the writes of a caller. Undefined if the caller has no writes. */
  of(caller: string): OwnWrites | undefined;
  /** Returns the writes of all callers. Undefined if there are none. */
  ofAll(): OwnWrites | undefined;
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

/** Label of a write that can have changed any data. */
export const EVERYTHING = '*';

/** Maximum number of labels that are tracked for one caller. Beyond it, a write counts for all labels. */
const MAX_LABELS = 64;
/** The same for all callers together. */
const MAX_LABELS_OF_ALL = 1_024;
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

/** Last writes of one caller, or of all callers. */
class RecentWrite implements OwnWrites {
  /** Time of the last write. */
  at = -Infinity;
  /** Time of the last write that counts for all labels. */
  private ofAll = -Infinity;
  private readonly byLabel = new Map<string, number>();
  private readonly maxLabels: number;

  constructor(maxLabels: number) {
    this.maxLabels = maxLabels;
  }

  get flight(): string {
    return String(this.at);
  }

  add(at: number, labels: readonly string[]): void {
    this.at = at;
    const isBounded = labels.every((label) => label.length <= MAX_LABEL_LENGTH && label !== EVERYTHING);
    if (isBounded) for (const label of labels) this.byLabel.set(label, at);
    if (isBounded && this.byLabel.size <= this.maxLabels) return;
    this.ofAll = at;
    this.byLabel.clear();
  }

  isOutdated(labels: readonly string[], madeAt: number): boolean {
    return madeAt <= this.ofAll || labels.some((label) => madeAt <= (this.byLabel.get(label) ?? -Infinity));
  }
}

/** Creates write marks in the memory of this process. Evicted marks become less precise, but are never lost. */
export function createRecentWrites({ maxCallers, clock }: RecentWritesOptions): RecentWrites {
  /** Marks by caller, the oldest last write first. */
  const marks = new Map<string, RecentWrite>();
  let slots: Float64Array | undefined;
  let all: RecentWrite | undefined;

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
      all ??= new RecentWrite(MAX_LABELS_OF_ALL);
      all.add(at, labels);
      const recentWrite = marks.get(caller) ?? new RecentWrite(MAX_LABELS);
      recentWrite.add(at, labels);
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
      if (ofSlot === -Infinity) return recentWrite;
      return {
        flight: String(recentWrite?.at ?? ofSlot),
        isOutdated: (labels, madeAt) => madeAt <= ofSlot || recentWrite?.isOutdated(labels, madeAt) === true,
      };
    },
    ofAll: () => all,
    [Symbol.dispose]() {
      marks.clear();
      all = undefined;
    },
  };
}

function slotOf(text: string): number {
  return (fnv1a(text) >>> 0) % SLOTS;
}
