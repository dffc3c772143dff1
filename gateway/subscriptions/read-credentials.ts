import { GatewayError } from '../platform/errors.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Payload } from './read-message.ts';

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key']);

/**
 * Credentials in the payload of a message, under the names of the headers that they stand for, in any case.
 *
 * @returns undefined where there are none
 * @throws GatewayError `BAD_REQUEST` where one is no string, or stands there twice
 */
export function readCredentials(payload: Payload | undefined): RequestHeaders | undefined {
  if (payload === undefined) return undefined;
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(payload)) {
    const name = key.toLowerCase();
    if (!CREDENTIALS.has(name) || value === null) continue;
    if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" of the payload must be a string.`);
    if (found.has(name)) throw new GatewayError('BAD_REQUEST', `The payload has "${name}" more than once.`);
    found.set(name, value);
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

/** Names that belong to one connection, or to one request of it, and say nothing of who asks. */
const OF_THE_CONNECTION = /^(?:connection|upgrade|sec-websocket-.*|x-correlation-id|content-length)$/;

/** What operations of a socket have as headers: those of its upgrade, with the credentials that came by message. */
export function headersOfSocket(upgrade: RequestHeaders, credentials: RequestHeaders | undefined): RequestHeaders {
  const kept = Object.entries(upgrade).filter(([name]) => !OF_THE_CONNECTION.test(name));
  if (credentials === undefined) return Object.fromEntries(kept);
  return { ...Object.fromEntries(kept.filter(([name]) => !CREDENTIALS.has(name))), ...credentials };
}
