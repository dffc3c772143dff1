import { GatewayError } from '../../errors.ts';
import type { RequestHeaders } from '../../request-headers.ts';

/** Longest id of an event. @unit characters */
const MAX_LENGTH = 256;

/** A header has none of them, a line end would end a line of its own, and browsers pass over an id with a NUL (HTML, section 9.2.6). */
const CONTROL = /\p{Control}/u;

/**
 * The id of events to which their subgraph gives none. A client that comes back with it has seen some of them, and nobody can say how
 * many since: it is told that events may have been missed.
 */
export const UNNUMBERED_EVENT = '~';

/** Whether it can be told to clients and asked for after: text of 1 to 256 characters without control characters. */
export function isEventId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH && !CONTROL.test(id);
}

/** Undefined where it is absent, null or empty. @throws GatewayError `BAD_REQUEST` */
export function checkLastEventId(id: unknown, name: string): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (isEventId(id)) return id;
  throw new GatewayError(
    'BAD_REQUEST',
    `"${name}" must be a string of at most ${MAX_LENGTH} characters, none of them a control character.`,
  );
}

/**
 * `Last-Event-ID` of a request. Browsers send ids as UTF-8 (HTML, section 9.2.3), and Node reads each byte of a header as a character.
 *
 * @throws GatewayError `BAD_REQUEST`
 */
export function readLastEventId({ 'last-event-id': header }: RequestHeaders): string | undefined {
  return checkLastEventId(typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : undefined, 'Last-Event-ID');
}

/** The line by which server-sent events tell an id; empty where there is none that could be told. */
export function writeIdLine(eventId: string | undefined): string {
  return eventId === undefined || CONTROL.test(eventId) ? '' : `id: ${eventId}\n`;
}

/** The same id as a value of a header that is sent. */
export function toLastEventIdHeader(eventId: string): string {
  return Buffer.from(eventId).toString('latin1');
}
