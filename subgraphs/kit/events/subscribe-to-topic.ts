import type { RequestContext } from '../request-context.ts';
import type { BusEvent } from './event-bus.ts';

/**
 * The source stream of a subscription field, for its `subscribe`: every event of the topic that `accepts` lets through,
 * as `toPayload` shapes it, under the field's own name.
 */
export async function* subscribeToTopic<Field extends string, Payload>(
  context: RequestContext,
  field: Field,
  {
    topic,
    accepts,
    toPayload,
  }: { readonly topic: string; readonly accepts?: (event: BusEvent) => boolean; readonly toPayload: (event: BusEvent) => Payload },
): AsyncGenerator<Record<Field, Payload>, void, void> {
  for await (const event of context.events.subscribe(topic)) {
    if (accepts !== undefined && !accepts(event)) continue;
    // One context serves all events of a stream; what was read for the last one is old by now.
    context.loaders.clear();
    yield { [field]: toPayload(event) } as Record<Field, Payload>;
  }
}
