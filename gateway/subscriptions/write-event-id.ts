import type { EventEnvelope } from '../pipeline/event-stream.ts';

/** Text of the events that many clients get: it is written once for all of them. */
const written = new WeakMap<EventEnvelope, string>();

/** The text of an event with its id as `extensions.eventId`, for doors that have no other place for it. */
export function writeEventId(event: EventEnvelope): string {
  const { eventId, result } = event;
  if (eventId === undefined) return result.body;
  let text = written.get(event);
  if (text === undefined) {
    text = `${result.body.slice(0, -1)},"extensions":${JSON.stringify({ eventId })}}`;
    written.set(event, text);
  }
  return text;
}
