import type { EventEnvelope } from '../pipeline/streams/event-stream.ts';
import type { OperationError } from '../pipeline/operation-result.ts';
import { CLIENT_HEADERS } from '../platform/client-name.ts';
import { GatewayError } from '../platform/errors.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { TRACE_HEADERS } from '../platform/trace-context.ts';
import type { Payload } from './read-message.ts';
import { writeEventId } from './stream-formats.ts';

/** Socket that carries the messages of a session, independent of the WebSocket library. */
export interface SessionSocket {
  /** Size of the messages that were sent but not yet transmitted. @unit bytes */
  readonly bufferedAmount: number;
  /** Whether reading from the client is paused until it has received the buffered messages. */
  readonly isDelayed: boolean;
  /**
   * Sends a message if the buffer limit allows it.
   *
   * @param sent called when the message was transmitted or the socket closed; not called for a message that exceeds the limit
   * @returns whether the message was accepted
   */
  send(text: string, sent?: () => void): boolean;
  ping(): void;
  close(code: number, reason: string): void;
  /** Closes the connection immediately, without a close frame. */
  terminate(): void;
}

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key']);

/**
 * Reads credentials from the payload of a message. The keys are the names of the equivalent headers, in any case.
 *
 * @returns undefined when the payload has no credentials
 * @throws GatewayError `BAD_REQUEST` when one is not a string or appears twice
 */
export function readCredentials(payload: Payload | undefined): RequestHeaders | undefined {
  if (payload === undefined) return undefined;
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(payload)) {
    const name = key.toLowerCase();
    if (!CREDENTIALS.has(name) || value === null) continue;
    if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" in the payload must be a string.`);
    if (found.has(name)) throw new GatewayError('BAD_REQUEST', `"${name}" appears more than once in the payload.`);
    found.set(name, value);
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

/** Keys of the payload that have the meaning of the headers with the same names. */
const CONTEXT: ReadonlySet<string> = new Set([...TRACE_HEADERS, ...CLIENT_HEADERS]);

/** Adds the trace and the name of the client in the payload of `connection_init` to the headers of the upgrade. The payload wins. */
export function withClientContext(upgrade: RequestHeaders, payload: Payload | undefined): RequestHeaders {
  const sent = Object.entries(payload ?? {}).filter(([key, value]) => typeof value === 'string' && CONTEXT.has(key.toLowerCase()));
  if (sent.length === 0) return upgrade;
  return { ...upgrade, ...Object.fromEntries(sent.map(([key, value]) => [key.toLowerCase(), value as string])) };
}

/** Headers that belong to one connection or one request, and do not identify the caller. */
const OF_THE_CONNECTION = /^(?:connection|upgrade|sec-websocket-.*|x-correlation-id|content-length)$/;

/** Makes the headers for operations of a socket: those of its upgrade, with the credentials that were sent by message. */
export function headersOfSocket(upgrade: RequestHeaders, credentials: RequestHeaders | undefined): RequestHeaders {
  const stored = Object.entries(upgrade).filter(([name]) => !OF_THE_CONNECTION.test(name));
  if (credentials === undefined) return Object.fromEntries(stored);
  return { ...Object.fromEntries(stored.filter(([name]) => !CREDENTIALS.has(name))), ...credentials };
}

/** Rate limit for messages of a client. */
export interface MessageRate {
  /** @unit messages per second */
  readonly perSecond: number;
  /** Number of messages that may arrive at once. @unit messages */
  readonly burst: number;
}

/** Token bucket of one client. It has only two numbers to save memory. */
export interface MessageAllowance {
  /** Remaining messages; may be fractional. @unit messages */
  left: number;
  /** Time of the last update. @unit milliseconds */
  at: number;
}

/** Takes one message from the bucket; false when the limit is exceeded. */
export function takeMessage(allowance: MessageAllowance, { perSecond, burst }: MessageRate, now: number): boolean {
  allowance.left = Math.min(burst, allowance.left + ((now - allowance.at) * perSecond) / 1_000);
  allowance.at = now;
  if (allowance.left < 1) return false;
  allowance.left -= 1;
  return true;
}

/** Messages that a server sends (graphql-transport-ws, section "Message types"). Results are text already and are not parsed again. */
export const CONNECTION_ACK = '{"type":"connection_ack"}';

/** Makes the pong message, with the payload of its ping. */
export function pongMessage(payload: Readonly<Record<string, unknown>> | undefined): string {
  return payload === undefined ? PONG : JSON.stringify({ type: 'pong', payload });
}

const PONG = '{"type":"pong"}';

/** Makes the pong for a ping with credentials: whether they are used from now on, or could not be checked. */
export function pongAbout(credentials: 'accepted' | 'not checked'): string {
  return JSON.stringify({ type: 'pong', payload: { credentials } });
}

/** @param id id as JSON text, including its quotes */
export function nextMessage(id: string, event: EventEnvelope): string {
  return `{"id":${id},"type":"next","payload":${writeEventId(event)}}`;
}

export function errorMessage(id: string, errors: readonly OperationError[]): string {
  return `{"id":${id},"type":"error","payload":${JSON.stringify(errors)}}`;
}

export function completeMessage(id: string): string {
  return `{"id":${id},"type":"complete"}`;
}
