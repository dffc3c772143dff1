import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';
import type { SubgraphStreams } from '../../../../../gateway/supergraph/subgraph-streams.ts';
import { type StreamSettings, event, hear, newStreams } from './recorded-stream.ts';

interface QueryResult {
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly query: string; readonly extensions: { readonly lastEventId?: string } };
}

let streams: SubgraphStreams;
let close: () => void = () => undefined;
let url = '';
let requested: QueryResult[] = [];

/** Starts a subgraph that handles the nth stream request with the nth handler. */
async function start(responses: readonly ((response: ServerResponse) => void)[], settings: StreamSettings = {}): Promise<void> {
  requested = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requested.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as QueryResult['body'] });
      (responses[Math.min(requested.length, responses.length) - 1] ?? (() => undefined))(response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  streams = newStreams({ subscriptions: { transport: 'sse', path: '/stream', reconnectTimeoutMs: 1 }, ...settings });
  close = () => {
    server.closeAllConnections();
    server.close();
  };
}

afterEach(async () => {
  await streams[Symbol.asyncDispose]();
  close();
});

const begin = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  return response;
};
const say = (response: ServerResponse, payload: object): void => void response.write(`event: next\ndata: ${JSON.stringify(payload)}\n\n`);
const respond = (status: number, type: string, text: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
};

describe('given a subgraph that returns no stream', () => {
  it.each([
    ['status 503', respond(503, 'text/plain', 'down'), 'failed SUBGRAPH_UNAVAILABLE'],
    ['an HTML page', respond(200, 'text/html', '<p>'), 'failed SUBGRAPH_INVALID_RESPONSE'],
    ['a redirect', respond(302, 'text/event-stream', ''), 'failed SUBGRAPH_INVALID_RESPONSE'],
    [
      'a stream of invalid events',
      (response: ServerResponse) => begin(response).end('event: next\ndata: 7\n\n'),
      'failed SUBGRAPH_INVALID_RESPONSE',
    ],
    [
      'errors with a code',
      respond(403, 'application/json', JSON.stringify({ errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] })),
      'refused FORBIDDEN',
    ],
  ])('ends the stream with an error for %s', async (_what, behave, reported) => {
    await start([behave]);
    const { heard, until } = hear(streams, url);
    for (let lines = 1; !/^(?:failed|refused)/.test(heard.at(-1) ?? ''); lines += 1) await until(lines);
    expect(heard.at(-1)).toBe(reported);
  });

  it('fails with SUBGRAPH_TIMEOUT if there is no response in time', async () => {
    await start([() => undefined], { requestTimeoutMs: 20 });
    expect(await hear(streams, url).until(1)).toEqual(['failed SUBGRAPH_TIMEOUT']);
  });
});

describe('a stream over server-sent events', () => {
  it('delivers events until it is complete and sends the context of the caller', async () => {
    await start([
      (response) => {
        say(begin(response), event('a', 1));
        response.write(`id: b\nevent: next\ndata: ${JSON.stringify({ data: { changed: 2 } })}\n\n:\n\nevent: complete\n\n`);
      },
    ]);
    const { until } = hear(streams, url, { lastEventId: 'before', principal: ANONYMOUS });
    expect(await until(4)).toEqual(['open', 'event a {"changed":1}', 'event b {"changed":2}', 'complete']);
    expect(requested[0]).toMatchObject({
      headers: { accept: 'text/event-stream', 'last-event-id': 'before', 'x-correlation-id': 'trace-1' },
      body: { query: 'subscription{changed}', extensions: { lastEventId: 'before' } },
    });
  });

  it('continues after the last event when the connection breaks', async () => {
    await start(
      [
        (response) => {
          say(begin(response), event('a', 1));
          setImmediate(() => response.destroy());
        },
        (response) => say(begin(response), event('b', 2)),
      ],
      { subscriptions: { transport: 'sse', reconnectTimeoutMs: 5_000 } },
    );
    expect(await hear(streams, url).until(3)).toEqual(['open', 'event a {"changed":1}', 'event b {"changed":2}']);
    expect(requested[1]?.body.extensions).toMatchObject({ lastEventId: 'a' });
  });

  it.each([
    ['with characters beyond ASCII', '✓ ä', 'event ✓ ä {"changed":2}', '✓ ä'],
    ['that is invalid in a header', 'a\u0001b', 'event - {"changed":2}', undefined],
  ])('reopens after an event id %s', async (_what, id, reported, requestsAfter) => {
    await start(
      [
        (response) => {
          begin(response).write(`id: ${id}\nevent: next\ndata: ${JSON.stringify({ data: { changed: 2 } })}\n\n`);
          setImmediate(() => response.destroy());
        },
        (response) => say(begin(response), event('b', 3)),
      ],
      { subscriptions: { transport: 'sse', reconnectTimeoutMs: 5_000 } },
    );
    const { until } = hear(streams, url);
    expect(await until(3)).toEqual(expect.arrayContaining(['open', reported]));
    expect(requested[1]?.body.extensions.lastEventId).toBe(requestsAfter);
    const header = requested[1]?.headers['last-event-id'];
    expect(header === undefined ? undefined : Buffer.from(String(header), 'latin1').toString()).toBe(requestsAfter);
  });

  it('closes the request when it is closed', async () => {
    let isDisconnected: (value: unknown) => void = () => undefined;
    const gone = new Promise((resolve) => {
      isDisconnected = resolve;
    });
    await start([(response) => void begin(response).on('close', isDisconnected)]);
    const { stream, until } = hear(streams, url);
    await until(1);
    stream.close();
    await gone;
  });
});
