import { GatewayError } from '../../errors.ts';
import type { RequestHeaders } from '../../request-headers.ts';

/** Maximum length of an event id. @unit characters */
const MAX_LENGTH = 256;

/**
 * Control characters. Headers must not contain them, a line break would start another line of the stream, and browsers ignore an id with
 * NUL (HTML, section 9.2.6).
 */
const CONTROL = /\p{Control}/u;

/**
 * Id of events without an id from their subgraph. The position of such an event is unknown, so a client that resumes with this id is
 * notified that events may have been missed.
 */
export const UNNUMBERED_EVENT = '~';

/** Whether an id can be sent to clients and used to resume: 1 to 256 characters without control characters. */
export function isEventId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH && !CONTROL.test(id);
}

/** Checks an id of a client. Undefined if it is absent, null or empty. @throws GatewayError `BAD_REQUEST` */
export function checkLastEventId(id: unknown, name: string): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (isEventId(id)) return id;
  throw new GatewayError('BAD_REQUEST', `"${name}" must be a string of at most ${MAX_LENGTH} characters without control characters.`);
}

/**
 * Reads `Last-Event-ID` of a request. Browsers send ids as UTF-8 (HTML, section 9.2.3), but Node.js decodes header bytes as Latin-1.
 *
 * @throws GatewayError `BAD_REQUEST`
 */
export function readLastEventId({ 'last-event-id': header }: RequestHeaders): string | undefined {
  return checkLastEventId(typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : undefined, 'Last-Event-ID');
}

/** Returns the `id` line of a server-sent event; empty if there is no id that can be sent. */
export function writeIdLine(eventId: string | undefined): string {
  return eventId === undefined || CONTROL.test(eventId) ? '' : `id: ${eventId}\n`;
}

/** Encodes an id for a `Last-Event-ID` header that is sent. */
export function toLastEventIdHeader(eventId: string): string {
  return Buffer.from(eventId).toString('latin1');
}
