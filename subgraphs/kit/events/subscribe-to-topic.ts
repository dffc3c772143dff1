import type { RequestContext } from '../request-context.ts';
import type { BusEvent } from './event-bus.ts';

/** Which events a subscription field tells of, and how. */
export interface TopicStream<Payload> {
  readonly topic: string;
  /** Lets an event through. @defaultValue all of them */
  readonly accepts?: (event: BusEvent) => boolean;
  readonly toPayload: (event: BusEvent) => Payload;
}

/**
 * The source stream of a subscription field, for its `subscribe`: the events of the topic from this call on, each under
 * the field's own name.
 */
export function subscribeToTopic<Field extends string, Payload>(
  context: RequestContext,
  field: Field,
  { topic, accepts = () => true, toPayload }: TopicStream<Payload>,
): AsyncIterableIterator<Record<Field, Payload>, undefined> {
  // Not a generator: that would begin to listen at the first `next`, and end only after a pending one.
  const events = context.events.subscribe(topic);
  return {
    async next() {
      for (;;) {
        const { done, value: event } = await events.next();
        if (done === true) return { done, value: undefined };
        if (!accepts(event)) continue;
        // One context serves all events of a stream; what was read for the last one is old by now.
        context.loaders.clear();
        return { done: false, value: { [field]: toPayload(event) } as Record<Field, Payload> };
      }
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
