import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { createMemoryEventBus } from '../../../subgraphs/kit/events/memory-event-bus.ts';
import type { EventBus } from '../../../subgraphs/kit/events/event-bus.ts';
import { type RunningSubgraph, startSubgraph } from '../../../subgraphs/kit/server/start-subgraph.ts';
import { createPostsSubgraph } from '../../../subgraphs/posts/create-posts-subgraph.ts';
import { signIdentity } from '../../support/identity/sign-identity.ts';
import { openSampleDatabase } from '../../support/database/sample-database.ts';

const SECRET = 's'.repeat(64);

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A socket to the subgraph that sends and reads single frames. */
interface Socket {
  send(message: Message): void;
  /** Returns the next message, or the code with which the socket was closed. */
  read(): Promise<Message | { readonly closed: number }>;
}

describe('the streams of a subgraph', () => {
  let database: Database;
  let events: EventBus;
  let subgraph: RunningSubgraph;
  const open: WebSocket[] = [];

  beforeAll(async () => {
    database = await openSampleDatabase();
    events = createMemoryEventBus({ maxReplayEvents: 3 });
    const setup = { database, events, clock: systemClock, log: silentLogger };
    const identity = { secret: SECRET };
    subgraph = await startSubgraph(
      await createPostsSubgraph(setup),
      { ...setup, wakeRelay() {}, identity, profile: 'production' },
      { drainTimeoutMs: 1_000 },
    );
  });
  afterAll(async () => {
    await subgraph.stop();
    await database.close();
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.terminate();
  });

  async function connect(path = '/graphql'): Promise<Socket> {
    const socket = new WebSocket(subgraph.url.replace(/^http/, 'ws') + path, 'graphql-transport-ws');
    open.push(socket);
    const arrived: (Message | { readonly closed: number })[] = [];
    let notify = (): void => undefined;
    const add = (one: Message | { readonly closed: number }): void => {
      arrived.push(one);
      notify();
    };
    socket.on('message', (data) => add(JSON.parse((data as Buffer).toString()) as Message));
    socket.on('close', (code) => add({ closed: code }));
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return {
      send: (message) => socket.send(JSON.stringify(message)),
      async read() {
        for (;;) {
          const first = arrived.shift();
          if (first !== undefined) return first;
          await new Promise<void>((resolve) => {
            notify = resolve;
          });
        }
      },
    };
  }

  const identityFor = (audience = 'posts', body = '') => signIdentity({ secret: SECRET, audience, body, kind: 'anonymous' });

  async function connected(): Promise<Socket> {
    const socket = await connect();
    socket.send({ type: 'connection_init', payload: { gatefoldIdentity: identityFor() } });
    expect(await socket.read()).toMatchObject({ type: 'connection_ack' });
    return socket;
  }

  function subscribe(socket: Socket, id: string, query: string, extensions: object = {}): void {
    socket.send({ type: 'subscribe', id, payload: { query, extensions } });
  }

  const COMMENTS = 'subscription { commentAdded(postId: 1) { commentId at } }';
  let count = 0;
  async function comment(commentId?: string): Promise<string> {
    count += 1;
    const payload = { postId: '1', commentId: commentId ?? String(count) };
    await events.publish({ id: String(count), topic: 'comment.added', payload, at: new Date('2026-01-01T00:00:00.000Z') });
    return String(count);
  }
  const reported = (id: string, commentId: string) => ({
    type: 'next',
    id,
    payload: { data: { commentAdded: { commentId, at: '2026-01-01T00:00:00.000Z' } }, extensions: { eventId: commentId } },
  });

  it.each([
    ['none', {}],
    ['a token for another subgraph', { gatefoldIdentity: identityFor('orders') }],
    ['a proof of another body', { gatefoldIdentity: identityFor('posts', '{}') }],
    ['a number', { gatefoldIdentity: 7 }],
  ])('close the socket as forbidden for %s as identity', async (_what, payload) => {
    const socket = await connect();
    socket.send({ type: 'connection_init', payload });
    expect(await socket.read()).toEqual({ closed: 4403 });
  });

  it('return 404 for another path', async () => {
    await expect(connect('/other')).rejects.toThrow('404');
  });

  it.each([
    ['is not GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['is not valid', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['is not a subscription', '{ posts { totalCount } }', 'BAD_REQUEST'],
    [
      'has a condition at its root',
      'subscription ($a: Boolean!) { commentAdded(postId: "1") @skip(if: $a) { __typename } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['queries the SDL', '{ _service { sdl } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('reject a document that %s with a code, and the socket remains usable', async (_what, query, code) => {
    const socket = await connected();
    subscribe(socket, '1', query);
    expect(await socket.read()).toMatchObject({ type: 'error', id: '1', payload: [{ extensions: { code } }] });
    subscribe(socket, '1', COMMENTS);
    expect(await socket.read()).toMatchObject({ type: 'ping' });
  });

  it('report the start position, and each event has its ID', async () => {
    const socket = await connected();
    subscribe(socket, 'a', COMMENTS);
    expect(await socket.read()).toEqual({ type: 'ping', payload: { subscription: 'a', eventId: expect.any(String) } });
    const id = await comment();
    expect(await socket.read()).toEqual(reported('a', id));
  });

  it('resume from a position with the events that were published meanwhile', async () => {
    const before = await connected();
    subscribe(before, 'a', COMMENTS);
    const position = ((await before.read()) as { payload: { eventId: string } }).payload.eventId;
    const [first, second] = [await comment(), await comment()];
    const after = await connected();
    subscribe(after, 'b', COMMENTS, { lastEventId: position });
    await after.read();
    expect([await after.read(), await after.read()]).toEqual([reported('b', first), reported('b', second)]);
    const third = await comment();
    expect(await after.read()).toEqual(reported('b', third));
  });

  it('report a gap before the new position when events are no longer stored', async () => {
    const lost = await comment();
    for (let more = 0; more < 5; more += 1) await comment();
    const socket = await connected();
    subscribe(socket, 'a', COMMENTS, { lastEventId: lost });
    expect(await socket.read()).toMatchObject({
      type: 'next',
      payload: { data: null, errors: [{ extensions: { code: 'EVENTS_MAY_BE_MISSED' } }] },
    });
    expect(await socket.read()).toEqual({ type: 'ping', payload: { subscription: 'a', eventId: expect.any(String) } });
    const id = await comment();
    expect(await socket.read()).toEqual(reported('a', id));
  });

  it('hide the cause when a field of an event fails', async () => {
    const socket = await connected();
    subscribe(socket, 'a', 'subscription { commentAdded(postId: 1) { comment { id } } }');
    await socket.read();
    const id = await comment('987654321');
    expect(await socket.read()).toMatchObject({
      payload: { data: null, errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }], extensions: { eventId: id } },
    });
  });

  it('close their sockets without `complete` when the subgraph ends them', async () => {
    const socket = await connected();
    subscribe(socket, 'a', COMMENTS);
    await socket.read();
    subgraph.endStreams();
    expect(await socket.read()).toEqual({ closed: 1001 });
  });
});
