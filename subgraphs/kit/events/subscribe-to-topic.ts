import type { RequestContext, StreamPosition } from '../request-context.ts';
import type { BusEvent } from './event-bus.ts';

/** Which events a subscription field tells of, and how. */
export interface TopicStream<Payload> {
  readonly topic: string;
  /** Lets an event through. @defaultValue all of them */
  readonly accepts?: (event: BusEvent) => boolean;
  readonly toPayload: (event: BusEvent) => Payload;
}

/** Beside the payload: the id of the event. */
export const EVENT_ID = Symbol('event id');

/** In place of a payload: events before the next one may have been missed. */
export const EVENTS_MISSED = Symbol('events missed');

/** What the source stream of a subscription field is made of. */
export type SourceEvent<Field extends string, Payload> = Record<Field, Payload> & {
  readonly [EVENT_ID]?: string;
  readonly [EVENTS_MISSED]?: boolean;
};

/**
 * The source stream of a subscription field, for its `subscribe`: the events of the topic from this call on, or from where
 * the request says, each under the field's own name.
 */
export function subscribeToTopic<Field extends string, Payload>(
  context: RequestContext,
  field: Field,
  { topic, accepts = () => true, toPayload }: TopicStream<Payload>,
): AsyncIterableIterator<SourceEvent<Field, Payload>, undefined> {
  const { stream } = context;
  // Not a generator: that would begin to listen at the first `next`, and end only after a pending one.
  const events = context.events.subscribe(topic, { after: stream?.after });
  let positionAfterGap: string | undefined;
  let hasBegun = stream === undefined;
  const passing = stream && tellPassing(stream);
  void events.start.then(({ position, isGap }) => {
    if (!isGap) stream?.onPosition(position);
  });

  /** Only where somebody reads events by their ids, and asked for one that is gone. */
  async function isGapToBeTold(): Promise<boolean> {
    if (hasBegun) return false;
    hasBegun = true;
    const { isGap, position } = await events.start;
    if (isGap) positionAfterGap = position;
    return isGap;
  }

  /** Not before the gap was taken: who has heard of a position, and is cut off, asks for nothing of before. */
  function tellPositionAfterGap(): void {
    if (positionAfterGap !== undefined) stream?.onPosition(positionAfterGap);
    positionAfterGap = undefined;
  }

  return {
    async next() {
      tellPositionAfterGap();
      if (await isGapToBeTold()) return { done: false, value: { [EVENTS_MISSED]: true } as SourceEvent<Field, Payload> };
      for (;;) {
        const { done, value: event } = await events.next();
        if (done === true) {
          passing?.forget();
          return { done, value: undefined };
        }
        if (!accepts(event)) {
          passing?.pass(event.id);
          continue;
        }
        passing?.forget();
        // One context serves all events of a stream; what was read for the last one is old by now.
        context.loaders.clear();
        return { done: false, value: { [field]: toPayload(event), [EVENT_ID]: event.id } as SourceEvent<Field, Payload> };
      }
    },
    async return() {
      passing?.forget();
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** How long a position may be old of which nobody was told. @unit milliseconds */
const TELL_AFTER_MS = 15_000;

/**
 * Tells, from time to time, the id of the last event that passed by: without that, a subscriber of whom there is seldom anything to tell would
 * come back with an id so old that nobody keeps it any more.
 */
function tellPassing({ onPosition }: StreamPosition) {
  let latest: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    if (latest !== undefined) onPosition(latest);
  };
  return {
    pass(id: string): void {
      latest = id;
      timer ??= setTimeout(tell, TELL_AFTER_MS).unref();
    },
    /** An event that is sent says it by itself. */
    forget(): void {
      latest = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
