import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { request as requestHttp } from '../../platform/http/node-http.ts';
import { toLastEventIdHeader } from '../../platform/http/request/event-id.ts';
import { createStreamParser, type StreamMessage } from '../../platform/http/client/event-stream-parser.ts';
import { subgraphInvalidResponse, subgraphTimeout, subgraphUnavailable, toSubgraphFailure } from '../failures.ts';
import { parseSubgraphJson } from '../decode-json.ts';
import { isRecord } from '../read-response.ts';
import { readEvent, readError, toEventId, toHeaderRecord } from './read-event.ts';
import { type AttemptListener, type AttemptOver, type UpstreamTransport, payloadOf } from './stream-attempt.ts';
import type { TransportOptions } from './transport-ws.ts';

/** Maximum size of an error response that is read. @unit bytes */
const MAX_ERROR_BYTES = 65_536;

const EVENT_STREAM = /^text\/event-stream\s*(?:;|$)/i;

/** Creates a transport over server-sent events. Each stream is one request, as in the distinct connections mode of graphql-sse. */
export function createSseTransport(options: TransportOptions): UpstreamTransport {
  const { subgraph, url, headers, identity, policies, tls, logger } = options;
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const errorRules = { ...policies, subgraph };
  const running = new Set<ClientRequest>();

  function log(masked: readonly string[]): void {
    if (masked.length > 0) logger.warn({ subgraph, errors: masked.slice(0, 10) }, 'A subgraph returned errors whose codes are not listed.');
  }

  /** @throws SyntaxError or RangeError when the message is not a valid event */
  function receive({ event, id, data }: StreamMessage, listener: AttemptListener): AttemptOver | undefined {
    if (event === 'complete') return { kind: 'complete' };
    if (event !== 'next') return undefined;
    const { value, needsNoEscape } = parseSubgraphJson(data);
    const read = readEvent(value, policies.maxErrors, needsNoEscape, errorRules);
    if (read === undefined) throw new SyntaxError('The stream contains an invalid event.');
    log(read.masked);
    if (read.isGap) listener.onGap();
    else {
      const eventId = read.event.eventId ?? toEventId(id);
      listener.onEvent(eventId === undefined ? read.event : { eventId, response: read.event.response });
    }
    return undefined;
  }

  /** Reads the response that arrived instead of a stream. A GraphQL server rejects a request with errors. */
  function refuse(response: IncomingMessage, text: string): AttemptOver {
    const status = `HTTP ${response.statusCode ?? 0}`;
    try {
      const { value } = parseSubgraphJson(text);
      const read = isRecord(value) ? readError(value['errors'], policies.maxErrors, errorRules) : undefined;
      log(read?.masked ?? []);
      if (read !== undefined && (response.statusCode ?? 0) < 500) return { kind: 'rejected', errors: read.errors };
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
    }
    const cause = new Error(`${status} instead of an event stream.`);
    return { kind: 'lost', error: (response.statusCode ?? 0) >= 500 ? subgraphUnavailable(cause) : subgraphInvalidResponse(cause) };
  }

  return {
    attempt(request, listener) {
      const body = payloadOf(request);
      let isOver = false;
      const sent = send(url, {
        method: 'POST',
        ...(url.startsWith('https:') ? tls : {}),
        agent: false,
        headers: {
          ...toHeaderRecord(headers.of(request.context)),
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'accept-encoding': 'identity',
          ...(request.lastEventId === undefined ? {} : { 'last-event-id': toLastEventIdHeader(request.lastEventId) }),
          ...(identity === undefined ? {} : { [identity.header]: identity.headerValue(subgraph, request.context.principal, body) }),
        },
      });
      running.add(sent);
      const timer = setTimeout(() => end({ kind: 'lost', error: late() }), policies.requestTimeoutMs).unref();

      function end(over: AttemptOver | undefined): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        running.delete(sent);
        sent.destroy();
        if (over !== undefined) listener.onOver(over);
      }

      sent.on('error', (cause) => end({ kind: 'lost', error: toSubgraphFailure(cause, false) }));
      sent.on('close', () => end({ kind: 'lost', error: subgraphUnavailable(new Error('The stream ended unexpectedly.')) }));
      sent.on('response', (response) => {
        if (isOver) return;
        response.setEncoding('utf8');
        const type = response.headers['content-type'] ?? '';
        if (response.statusCode !== 200 || !EVENT_STREAM.test(type)) return takeError(response, (text) => end(refuse(response, text)));
        clearTimeout(timer);
        listener.onOpen();
        const onMessage = (message: StreamMessage): void => {
          if (isOver) return;
          const over = receive(message, listener);
          if (over !== undefined) end(over);
        };
        const onId = (id: string): void => {
          const eventId = isOver ? undefined : toEventId(id);
          if (eventId !== undefined) listener.onPosition(eventId);
        };
        const parser = createStreamParser(policies.maxResponseBytes, onMessage, onId);
        response.on('data', (text: string) => {
          if (isOver) return;
          try {
            parser.push(text);
          } catch (cause) {
            if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause;
            end({ kind: 'lost', error: subgraphInvalidResponse(cause) });
          }
        });
      });
      sent.end(Buffer.from(body)); // With a string, Node would also write the head as UTF-8.
      return { close: () => end(undefined) };
    },
    [Symbol.dispose]() {
      for (const sent of running) sent.destroy();
    },
  };
}

function late() {
  return subgraphTimeout(new Error('The stream did not start in time.'), { isOutage: true });
}

/** Reads an error response up to the maximum size. */
function takeError(response: IncomingMessage, done: (text: string) => void): void {
  let text = '';
  response.on('data', (piece: string) => {
    text += piece;
    if (text.length > MAX_ERROR_BYTES) done('');
  });
  response.on('end', () => done(text));
}
