import { GatewayError } from '../platform/errors.ts';
import { parseJson } from '../platform/http/request/parse-json.ts';
import { CLOSE_CODES, SocketClosure } from './socket-closure.ts';

/** An object that a client sent. */
export type Payload = Readonly<Record<string, unknown>>;

/** Messages that a client may send (graphql-transport-ws, section "Message types"). */
export type ClientMessage =
  | { readonly type: 'connection_init' | 'ping' | 'pong'; readonly payload: Payload | undefined }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: Payload }
  | { readonly type: 'complete'; readonly id: string };

/** @unit characters */
const MAX_ID_LENGTH = 64;

/**
 * Parses a message of a client.
 *
 * @param maxDepth maximum nesting depth of its JSON, including the message. @unit levels
 * @throws SocketClosure 4400 for a message that is malformed, unknown, or reserved for servers
 */
export function readMessage(text: string, maxDepth: number): ClientMessage {
  const message = parse(text, maxDepth);
  if (!isObject(message)) throw invalid('it must be a JSON object');
  const type = own(message, 'type');
  switch (type) {
    case 'connection_init':
    case 'ping':
    case 'pong':
      return { type, payload: readPayload(message) };
    case 'subscribe':
      return { type, id: readId(message), payload: readRequest(message) };
    case 'complete':
      return { type, id: readId(message) };
    case 'connection_ack':
    case 'next':
    case 'error':
      throw invalid(`only servers send "${type}"`);
    default:
      throw invalid('its "type" is missing or unknown');
  }
}

function parse(text: string, maxDepth: number): unknown {
  try {
    return parseJson(text, { maxDepth, subject: 'The message' });
  } catch (error) {
    if (error instanceof GatewayError) throw new SocketClosure(CLOSE_CODES.badRequest, error.message);
    throw error;
  }
}

/** Reads the payload. Absent and null are equivalent, as over HTTP. */
function readPayload(message: Payload): Payload | undefined {
  const payload = own(message, 'payload') ?? undefined;
  if (payload !== undefined && !isObject(payload)) throw invalid('its "payload" must be an object');
  return payload;
}

function readId(message: Payload): string {
  const id = own(message, 'id');
  if (typeof id !== 'string' || id === '') throw invalid('its "id" must be a non-empty string');
  if (id.length > MAX_ID_LENGTH) throw invalid(`its "id" is longer than ${MAX_ID_LENGTH} characters`);
  return id;
}

const TYPES = [
  ['query', 'a string', (value: unknown) => typeof value === 'string'],
  ['operationName', 'a string', (value: unknown) => typeof value === 'string'],
  ['variables', 'an object', isObject],
  ['extensions', 'an object', isObject],
] as const;

/** Checks the types that the protocol defines. The code that reads requests of all transports checks whether there is a document. */
function readRequest(message: Payload): Payload {
  const payload = readPayload(message);
  if (payload === undefined) throw invalid('it has no "payload"');
  for (const [name, type, isType] of TYPES) {
    const value = own(payload, name) ?? undefined;
    if (value !== undefined && !isType(value)) throw invalid(`"${name}" of its payload must be ${type}`);
  }
  return payload;
}

function invalid(why: string): SocketClosure {
  return new SocketClosure(CLOSE_CODES.badRequest, `Invalid message: ${why}.`);
}

function own(object: Payload, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
