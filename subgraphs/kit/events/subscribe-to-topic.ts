import type { RequestContext, StreamPosition } from '../request-context.ts';
import type { BusEvent } from './event-bus.ts';

/** Topic of a subscription field, and its payloads. */
export interface TopicStream<Payload> {
  readonly topic: string;
  /** Selects the events that are sent. @defaultValue all events */
  readonly accepts?: (event: BusEvent) => boolean;
  readonly toPayload: (event: BusEvent) => Payload;
}

/** Key of the event id in a source event. */
export const EVENT_ID = Symbol('event id');

/** Key that marks a notice, sent instead of a payload, that events before the next one may have been missed. */
export const EVENTS_MISSED = Symbol('events missed');

/** An event of the source stream of a subscription field. */
export type SourceEvent<Field extends string, Payload> = Record<Field, Payload> & {
  readonly [EVENT_ID]?: string;
  readonly [EVENTS_MISSED]?: boolean;
};

/**
 * Creates the source stream of a subscription field, for its `subscribe`: the events of the topic from now on, or after the position of the
 * request, each under the name of the field.
 */
export function subscribeToTopic<Field extends string, Payload>(
  context: RequestContext,
  field: Field,
  { topic, accepts = () => true, toPayload }: TopicStream<Payload>,
): AsyncIterableIterator<SourceEvent<Field, Payload>, undefined> {
  const { stream } = context;
  // This is not a generator, because a generator would subscribe only at the first `next`, and end only after a pending one.
  const events = context.events.subscribe(topic, { after: stream?.after });
  let positionAfterGap: string | undefined;
  let hasBegun = stream === undefined;
  const transient = stream && reportTransient(stream);
  void events.start.then(({ position, isGap }) => {
    if (!isGap) stream?.onPosition(position);
  });

  /** Whether the stream must start with a notice of a gap: the request has an event id whose event is no longer stored. */
  async function isGapPending(): Promise<boolean> {
    if (hasBegun) return false;
    hasBegun = true;
    const { isGap, position } = await events.start;
    if (isGap) positionAfterGap = position;
    return isGap;
  }

  /**
   * Reports the position after a gap, once the notice was read. A subscriber that knows this position and reconnects does not receive the
   * notice.
   */
  function sendPositionAfterGap(): void {
    if (positionAfterGap !== undefined) stream?.onPosition(positionAfterGap);
    positionAfterGap = undefined;
  }

  return {
    async next() {
      sendPositionAfterGap();
      if (await isGapPending()) return { done: false, value: { [EVENTS_MISSED]: true } as SourceEvent<Field, Payload> };
      for (;;) {
        const { done, value: event } = await events.next();
        if (done === true) {
          transient?.forget();
          return { done, value: undefined };
        }
        if (!accepts(event)) {
          transient?.pass(event.id);
          continue;
        }
        transient?.forget();
        // One context serves all events of a stream, so data that was loaded for the last event is outdated.
        context.loaders.clear();
        return { done: false, value: { [field]: toPayload(event), [EVENT_ID]: event.id } as SourceEvent<Field, Payload> };
      }
    },
    async return() {
      transient?.forget();
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Maximum age of an unreported position. @unit milliseconds */
const SEND_AFTER_MS = 15_000;

/**
 * Reports the id of the last skipped event from time to time. Otherwise a subscriber with few matching events would resume after an event
 * that is no longer stored.
 */
function reportTransient({ onPosition }: StreamPosition) {
  let latest: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    timer = undefined;
    if (latest !== undefined) onPosition(latest);
  };
  return {
    pass(id: string): void {
      latest = id;
      timer ??= setTimeout(report, SEND_AFTER_MS).unref();
    },
    /** Discards the position, because an event that is sent reports it. */
    forget(): void {
      latest = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
