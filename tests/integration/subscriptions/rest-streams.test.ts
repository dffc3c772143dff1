import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { readStream, type StreamReader } from '../../support/streams/stream-reader.ts';
import { signToken } from '../../support/identity/tokens.ts';

const DOCUMENT = `"Follow the books"
subscription FollowBooks @endpoint(method: GET, path: "/books/events") {
  bookRenamed @result { id title }
}`;
const MOMO = { bookRenamed: { id: '1', title: 'Momo' } };

describe('event streams of a REST resource', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  let readers: StreamReader[];

  beforeEach(() => {
    readers = [];
    streams = createHandFedStreams();
  });
  afterEach(async () => {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
    await library[Symbol.asyncDispose]();
  });

  async function start(subscriptions: GatewayConfigInput['subscriptions'] = {}): Promise<void> {
    library = await startLibraryGateway({
      subscribe: streams.subscribe,
      config: { subscriptions },
      prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: [{ path: 'rest/books.graphql', text: DOCUMENT }] })),
    });
  }

  async function follow(claims?: Parameters<typeof signToken>[0], headers: Record<string, string> = {}): Promise<StreamReader> {
    const authorization = claims && { authorization: `Bearer ${signToken(claims, { key: DEVELOPMENT_KEY })}` };
    const reader = await readStream(`${library.url}/books/events`, {
      headers: { accept: 'text/event-stream', ...authorization, ...headers },
    });
    readers.push(reader);
    return reader;
  }

  it("return 429 at the caller's limit across transports, until a stream ends", async () => {
    await start({ maxConnectionsPerPrincipal: 2 });
    const graphql = await readStream(`${library.url}/graphql?query=${encodeURIComponent('subscription { bookRenamed { id } }')}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${signToken({ sub: '1' }, { key: DEVELOPMENT_KEY })}` },
    });
    readers.push(graphql);
    await follow({ sub: '1' });
    const third = await follow({ sub: '1' });
    expect([third.status, JSON.parse(await third.rest()), third.headers.get('retry-after')]).toEqual([
      429,
      expect.objectContaining({ error: 'SUBSCRIPTION_LIMIT' }),
      '5',
    ]);
    expect(streams.opened).toHaveLength(2);
    expect((await follow({ sub: '2' })).status).toBe(200);
    await graphql[Symbol.asyncDispose]();
    await streams.opened[0]?.returned;
    expect((await follow({ sub: '1' })).status).toBe(200);
  });

  it('end with a failure event when the token expires', async () => {
    await start();
    const exp = Math.floor(Date.now() / 1_000) + 1;
    const reader = await follow({ sub: '1', exp });
    const stream = await streams.next();
    expect([stream.request.principal.id, stream.request.expiresAt?.()]).toEqual(['1', exp * 1_000]);
    expect(await reader.rest()).toMatch(/^:\n\nevent: failure\ndata: \{"error":"TOKEN_EXPIRED",.*"traceId":"[^"]+"\}\n\n$/);
    await stream.returned;
  });

  it('send a retry delay and no end event when the gateway closes', async () => {
    await start({ drainWindowMs: 100 });
    const reader = await follow();
    const stream = await streams.next();
    stream.push(MOMO, '17-0');
    await reader.until(/data/);
    await library[Symbol.asyncDispose]();
    await stream.returned;
    expect(await reader.rest()).toMatch(/^:\n\nid: 17-0\ndata: \{"id":"1","title":"Momo"\}\n\nretry: \d+\n\n$/);
  });

  it('send an end event when they are complete', async () => {
    await start();
    const reader = await follow();
    (await streams.next()).end();
    expect(await reader.rest()).toBe(':\n\nevent: end\ndata:\n\n');
  });

  it('send the reason of a failure, and only a generic error for a defect', async () => {
    await start();
    const [known, defect] = [await follow(), await follow()];
    (await streams.next()).fail(new GatewayError('SUBSCRIPTION_SCHEMA_RELOAD', 'The schema has changed.'));
    (await streams.next()).fail(new Error('secret'));
    expect(await known.rest()).toContain('event: failure\ndata: {"error":"SUBSCRIPTION_SCHEMA_RELOAD","message":"The schema has changed."');
    const text = await defect.rest();
    expect(text).toContain('"error":"INTERNAL_SERVER_ERROR"');
    expect(text).not.toContain('secret');
  });

  it('resume after a Last-Event-ID with characters beyond ASCII', async () => {
    await start();
    const { hostname, port } = new URL(library.url);
    const socket = connect(Number(port), hostname);
    socket.write(Buffer.from('GET /books/events HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\nlast-event-id: 17-ä€\r\n\r\n'));
    expect((await streams.next()).request.lastEventId).toBe('17-ä€');
    socket.destroy();
  });

  it('send heartbeats without events', async () => {
    await start({ heartbeatIntervalMs: 100 });
    await (await follow()).until(/^(?::\n\n){3}/);
  });
});
