import { writeEventId } from './write-event-id.ts';
import type { EventEnvelope } from '../pipeline/event-stream.ts';
import type { OperationError } from '../pipeline/operation-request.ts';

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
