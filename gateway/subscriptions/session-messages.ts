import type { EventEnvelope } from '../pipeline/event-stream.ts';
import type { OperationError } from '../pipeline/operation-request.ts';
import { GatewayError } from '../platform/errors.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Payload } from './read-message.ts';
import { writeEventId } from './stream-formats.ts';

/** What carries messages, whatever it is made of. */
export interface SessionSocket {
  /** What was sent and has not left yet. @unit bytes */
  readonly bufferedAmount: number;
  /** Whether nothing is read from the client until it has read what was sent. */
  readonly isHeldBack: boolean;
  /**
   * Sends a message if it fits into what may wait for clients.
   *
   * @param sent called when it has left, or the socket is gone; not called for what does not fit
   * @returns whether it fits
   */
  send(text: string, sent?: () => void): boolean;
  ping(): void;
  close(code: number, reason: string): void;
  /** Without another word. */
  terminate(): void;
}

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

/** How often a client may say something. */
export interface MessageRate {
  /** @unit messages per second */
  readonly perSecond: number;
  /** At once. @unit messages */
  readonly burst: number;
}

/** Two numbers for each client. */
export interface MessageAllowance {
  /** @unit messages, also parts of one */
  left: number;
  /** When that was so. @unit milliseconds */
  at: number;
}

/** Takes one message from an allowance; false where none is left. */
export function takeMessage(allowance: MessageAllowance, { perSecond, burst }: MessageRate, now: number): boolean {
  allowance.left = Math.min(burst, allowance.left + ((now - allowance.at) * perSecond) / 1_000);
  allowance.at = now;
  if (allowance.left < 1) return false;
  allowance.left -= 1;
  return true;
}

/** What a server says (graphql-transport-ws, section "Message types"); results are text already and are not read again. */
export const CONNECTION_ACK = '{"type":"connection_ack"}';

/** The answer to a ping, with the payload that the ping had. */
export function pongMessage(payload: Readonly<Record<string, unknown>> | undefined): string {
  return payload === undefined ? PONG : JSON.stringify({ type: 'pong', payload });
}

const PONG = '{"type":"pong"}';

/** The answer to a ping with credentials: whether they hold from now on, or could not be looked at. */
export function pongAbout(credentials: 'accepted' | 'not checked'): string {
  return JSON.stringify({ type: 'pong', payload: { credentials } });
}

/** @param id as it stands in JSON, with its quotes */
export function nextMessage(id: string, event: EventEnvelope): string {
  return `{"id":${id},"type":"next","payload":${writeEventId(event)}}`;
}

export function errorMessage(id: string, errors: readonly OperationError[]): string {
  return `{"id":${id},"type":"error","payload":${JSON.stringify(errors)}}`;
}

export function completeMessage(id: string): string {
  return `{"id":${id},"type":"complete"}`;
}
