import { requireObject } from '../../hooks/apply-changes.ts';
import type { CompiledHooks } from '../../hooks/compile-hooks.ts';
import type { HookedRequest } from '../../hooks/hooked-request.ts';
import type { EventEnvelope, EventStream } from './event-stream.ts';

/** Data and errors of an event. */
interface ReadEvent {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly unknown[];
}

/**
 * Runs `onEvent` for each event of one client. The stream of a client is separate, also when its events come from a shared stream, so a
 * change affects no other client. Bookmarks have no data and are passed on.
 */
export function withEventHook(stream: EventStream, request: HookedRequest, onEvent: NonNullable<CompiledHooks['onEvent']>): EventStream {
  /** @returns undefined when the hook drops the event */
  async function passThrough(event: EventEnvelope): Promise<EventEnvelope | undefined> {
    const { eventId, result } = event;
    let isDropped = false;
    let changed: { readonly data: unknown } | undefined;
    const read = (): ReadEvent => JSON.parse(result.body) as ReadEvent;
    await onEvent(
      {
        request,
        eventId,
        errorCodes: result.facts.errorCodes,
        data: () => (changed === undefined ? read().data : (structuredClone(changed.data) as ReadEvent['data'])),
      },
      (changes) => {
        if (changes === false) isDropped = true;
        else if (changes.data !== undefined) changed = { data: changes.data === null ? null : requireObject(changes.data, 'data') };
      },
    );
    if (isDropped) return undefined;
    if (changed === undefined) return event;
    const { errors } = read();
    return { ...event, result: { ...result, body: JSON.stringify(errors === undefined ? changed : { errors, ...changed }) } };
  }

  return {
    async next() {
      for (;;) {
        const next = await stream.next();
        if (next.done === true || next.value.isBookmark === true) return next;
        let value: EventEnvelope | undefined;
        try {
          value = await passThrough(next.value);
        } catch (error) {
          // The reader does not call `return` after an error, so the subscription has to end here.
          await stream.return();
          throw error;
        }
        if (value !== undefined) return { done: false, value };
      }
    },
    return: () => stream.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
