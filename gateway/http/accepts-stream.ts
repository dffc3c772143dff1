import type { IncomingMessage } from 'node:http';
import { readRange } from './read-range.ts';

/** By what a client can be sent a stream of events. */
export type StreamTransport = 'sse' | 'multipart';

/** Longest header that is read. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** The version of multipart subscriptions that is spoken. */
const SUBSCRIPTION_SPEC = '1.0';

/**
 * Looks for a transport of events in `Accept`: the first that is listed, whatever else is. One header is remembered, because most clients
 * send the same one again and again: of a request that wants no stream nothing more is looked at than whether it is that one.
 */
export function createAcceptsStream(): (request: Pick<IncomingMessage, 'method' | 'headers'>) => StreamTransport | undefined {
  let latest: string | undefined;
  let transport: StreamTransport | undefined;
  return ({ method, headers: { accept } }) => {
    if (accept !== latest) {
      latest = accept;
      transport = findTransport(accept);
    }
    return transport === undefined || method === 'GET' || method === 'POST' || method === 'HEAD' ? transport : undefined;
  };
}

function findTransport(accept: string | undefined): StreamTransport | undefined {
  if (accept === undefined || accept.length > MAX_HEADER_LENGTH) return undefined;
  for (const range of accept.toLowerCase().split(',')) {
    const { type, parameters } = readRange(range);
    if (!(Number(parameters.get('q') ?? 1) > 0)) continue;
    if (type === 'text/event-stream') return 'sse';
    if (type === 'multipart/mixed' && parameters.get('subscriptionspec') === SUBSCRIPTION_SPEC) return 'multipart';
  }
  return undefined;
}
