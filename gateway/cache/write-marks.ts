import type { Clock } from '../platform/clock.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';

/** Who wrote what, and when: a caller's reads after a write are not answered with data from before it. */
export interface WriteMarks extends Disposable {
  /** Notes a write that has ended. */
  note(caller: string, labels: readonly string[]): void;
  /** Undefined for a caller without writes. */
  of(caller: string): OwnWrites | undefined;
  /** Whether nobody has written anything: then no caller has to be looked up. */
  readonly isEmpty: boolean;
}

export interface WriteMarksOptions {
  /** Callers whose writes are remembered by label; of others, by a hash of the caller, only the time of the last write. @unit callers */
  readonly maxCallers: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Labels that are remembered of one caller. With more, or with one that is longer, a write counts for all labels. */
const MAX_LABELS = 64;
/** Longest label that is remembered: subgraphs choose how long a tag is. A write with a longer one counts for all labels. @unit characters */
const MAX_LABEL_LENGTH = 256;

/** Callers whose marks had to give way share a slot where their hashes are equal: each counts as the writer of all that the others wrote. */
const SLOTS = 4_096;

interface Mark {
  /** Of the last write. */
  at: number;
  /** Of the last write that counts for all labels. */
  ofAll: number;
  readonly byLabel: Map<string, number>;
}

/** Marks in the memory of this process. What has to give way becomes less exact, and is never forgotten. */
export function createWriteMarks({ maxCallers, clock }: WriteMarksOptions): WriteMarks {
  /** The caller with the oldest last write first. */
  const marks = new Map<string, Mark>();
  let slots: Float64Array | undefined;

  function fold(caller: string, { at }: Mark): void {
    slots ??= new Float64Array(SLOTS).fill(-Infinity);
    slots[slotOf(caller)] = at;
  }

  return {
    get isEmpty() {
      return marks.size === 0;
    },
    note(caller, labels) {
      const at = clock.monotonic();
      const mark = marks.get(caller) ?? { at, ofAll: -Infinity, byLabel: new Map<string, number>() };
      mark.at = at;
      const isBounded = labels.every(({ length }) => length <= MAX_LABEL_LENGTH);
      if (isBounded) for (const label of labels) mark.byLabel.set(label, at);
      if (!isBounded || mark.byLabel.size > MAX_LABELS) {
        mark.ofAll = at;
        mark.byLabel.clear();
      }
      marks.delete(caller);
      marks.set(caller, mark);
      if (marks.size <= maxCallers) return;
      const [oldest] = marks;
      if (oldest === undefined) return;
      marks.delete(oldest[0]);
      fold(...oldest);
    },
    of(caller) {
      const mark = marks.get(caller);
      const ofSlot = slots?.[slotOf(caller)] ?? -Infinity;
      if (mark === undefined && ofSlot === -Infinity) return undefined;
      const { at = ofSlot, ofAll = -Infinity, byLabel } = mark ?? {};
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

/** FNV-1a. */
function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SLOTS;
}
