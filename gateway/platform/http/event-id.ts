import { GatewayError } from '../errors.ts';
import type { RequestHeaders } from '../request-headers.ts';

/** Longest id of an event. @unit characters */
const MAX_LENGTH = 256;

/** What would end a line of its own (HTML, section 9.2.6), or makes browsers pass an id over. */
const UNWRITABLE = /[\r\n\0]/;

/** Undefined where it is absent, null or empty. @throws GatewayError `BAD_REQUEST` */
export function checkLastEventId(id: unknown, name: string): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string' && id.length <= MAX_LENGTH) return id;
  throw new GatewayError('BAD_REQUEST', `"${name}" must be a string of at most ${MAX_LENGTH} characters.`);
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
  return eventId === undefined || UNWRITABLE.test(eventId) ? '' : `id: ${eventId}\n`;
}
