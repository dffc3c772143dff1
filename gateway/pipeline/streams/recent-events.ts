import type { ExecutionResult } from '../../execution/executable-operation.ts';
import { bytesOfText, bytesOfValue } from '../../platform/bytes-of-value.ts';

/** An event, or a notice of a gap, that all subscribers of a stream have received. */
export interface Published {
  /** Absent for a notice of a gap. */
  readonly eventId: string | undefined;
  readonly result: ExecutionResult;
}

/** Latest events of a stream, for subscribers that are moved from another stream of the same subscription. */
export interface RecentEvents {
  add(published: Published): void;
  /** Returns the events after an event; undefined when that event is no longer stored. */
  after(eventId: string): readonly Published[] | undefined;
}

export interface RecentEventsLimits {
  readonly maxEvents: number;
  /** Maximum size of the events. The latest event is always stored. @unit bytes */
  readonly maxBytes: number;
}

/** Fixed size of the objects of an event. @unit bytes */
const BYTES_PER_EVENT = 300;

export function createRecentEvents({ maxEvents, maxBytes }: RecentEventsLimits): RecentEvents {
  const stored: Published[] = [];
  let bytes = 0;
  return {
    add(published) {
      stored.push(published);
      bytes += bytesOf(published);
      while (stored.length > maxEvents || (bytes > maxBytes && stored.length > 1)) {
        const oldest = stored.shift();
        if (oldest !== undefined) bytes -= bytesOf(oldest);
      }
    },
    after(eventId) {
      const index = stored.findLastIndex((published) => published.eventId === eventId);
      return index < 0 ? undefined : stored.slice(index + 1);
    },
  };
}

function bytesOf({ result: { data, errors } }: Published): number {
  return BYTES_PER_EVENT + bytesOfText(data) + bytesOfValue(errors);
}
