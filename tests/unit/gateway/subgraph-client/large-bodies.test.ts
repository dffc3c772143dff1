import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import {
  createLargeResponses,
  LARGE_BODY_BYTES,
  type LargeResponse,
  type LargeResponses,
  type LargeResponsesOptions,
} from '../../../../gateway/subgraph-client/large-responses.ts';
import type { QueuedRequest } from '../../../../gateway/subgraph-client/with-bulkhead.ts';
import {
  responding,
  type Behavior,
  type FakeSubgraph,
  NEVER,
  REQUEST,
  startFakeSubgraph,
} from '../../../support/subgraphs/fake-subgraph.ts';
import { respondingSized, codeOf, large, LARGE_TEXT, query, textOf } from './large-bodies-server.ts';
import { eventually } from '../../../support/time/eventually.ts';

/** Far more than the system buffers of a connection that is not read. @unit bytes */
const HUGE = 33_554_432;
const PIECE_BYTES = 65_536;

const SMALL_TEXT = '{"data":{"a":1}}';
const SMALL = { data: { a: 1 }, needsNoEscape: true };

/** One failure opens the circuit breaker. */
const TOUCHY = { circuitBreaker: { failures: 1, window: 1, openMs: 60_000 }, retry: { maxRetries: 0 } };
const PATIENT = { requestTimeoutMs: 60_000, maxResponseBytes: 2 * HUGE };
/** A query with an expected large response waits for the previous one. */
const ONE_IN_TURN = { ...PATIENT, maxLargeResponseBytes: 1 };

/** Creates a limit that accepts one response at a time, and records the responses that entered. */
function watchTurns(options: Partial<LargeResponsesOptions> = {}) {
  const turns = createLargeResponses({ maxBytes: 1, callerOf: ({ remoteAddress = '' }) => remoteAddress, ...options });
  const entered: LargeResponse[] = [];
  const largeResponses: LargeResponses = {
    ...turns,
    enter(response) {
      entered.push(response);
      turns.enter(response);
    },
  };
  /** Reserves the whole limit, like a response that is being received. @returns a function that releases it */
  function occupy(): () => void {
    const other: LargeResponse = { request: { ...REQUEST, kind: 'mutation' }, bytes: 1, begin: () => undefined, refuse: () => undefined };
    turns.enter(other);
    return () => turns.leave(other);
  }
  return { largeResponses, entered, occupy };
}

/** Selects the behavior by the body of the request. Returns a small response for other bodies. */
function byBody(behaviors: Readonly<Record<string, Behavior>>) {
  const bodies: string[] = [];
  const requests: IncomingMessage[] = [];
  const behave: Behavior = (request, response, body) => {
    if (body !== 'small') {
      bodies.push(body);
      requests.push(request);
    }
    (behaviors[body] ?? responding(SMALL_TEXT))(request, response, body);
  };
  return { behave, bodies, requests };
}

type Framing = 'sized' | 'chunked';

/** Creates a behavior that counts the bytes of a text that the connection has accepted. */
function counted(text: string, framing: Framing, halfway: Promise<unknown> = Promise.resolve()) {
  const progress = { sent: 0 };
  const behave: Behavior = (_request, response) => void send(response);

  async function send(response: ServerResponse): Promise<void> {
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(framing === 'sized' ? { 'content-length': String(text.length) } : {}),
    });
    for (let at = 0; at < text.length && !response.destroyed; at += PIECE_BYTES) {
      if (at === text.length / 2) await halfway;
      if (!response.write(text.slice(at, at + PIECE_BYTES))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      progress.sent = Math.min(at + PIECE_BYTES, text.length);
    }
    response.end();
  }
  return { progress, behave };
}

/** Requests small responses until the counted progress does not change any more. */
async function settled(subgraph: FakeSubgraph, ...progresses: readonly { readonly sent: number }[]): Promise<void> {
  const total = (): number => progresses.reduce((sum, { sent }) => sum + sent, 0);
  for (let [last, calm] = [total(), 0]; calm < 30; calm += 1) {
    expect(await subgraph.request(query('small', 'other'), NEVER)).toEqual(SMALL);
    if (total() !== last) [last, calm] = [total(), 0];
  }
}

describe('large bodies that do not get their turn in time', () => {
  it('use a circuit breaker that opens if a subgraph does not respond at all', async () => {
    const { behave } = byBody({ silent: () => undefined });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...TOUCHY, requestTimeoutMs: 50 } });
    expect(await codeOf(subgraph.request(query('silent'), NEVER))).toBe('SUBGRAPH_TIMEOUT');
    expect(await codeOf(subgraph.request(query('small'), NEVER))).toBe('CIRCUIT_OPEN');
  });

  it.each(['query', 'mutation'] as const)('of a %s cause SUBGRAPH_TIMEOUT and a closed connection, but no open breaker', async (kind) => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave, requests } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...TOUCHY, requestTimeoutMs: 500 }, largeResponses });
    const giveBack = occupy();
    expect(await codeOf(subgraph.request({ ...query('large'), kind }, NEVER))).toBe('SUBGRAPH_TIMEOUT');
    expect(entered).toHaveLength(1);
    await eventually(() => requests[0]?.socket.destroyed === true);
    expect(await subgraph.request(query('small'), NEVER)).toEqual(SMALL);
    giveBack();
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('answered');
  });

  it('of queries that wait to be sent cause SUBGRAPH_TIMEOUT, but no open breaker', async () => {
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, large });
    const settings = { ...TOUCHY, requestTimeoutMs: 500, maxLargeResponseBytes: 1 };
    await using subgraph = await startFakeSubgraph(behave, { settings, largeResponses });
    for (const body of ['first', 'large']) await subgraph.request(query(body), NEVER);
    const giveBack = occupy();
    const patient: QueuedRequest = { ...query('first'), dueAt: systemClock.monotonic() + 60_000 };
    const first = codeOf(subgraph.request(patient, NEVER));
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('SUBGRAPH_TIMEOUT');
    expect(await subgraph.request(query('small'), NEVER)).toEqual(SMALL);
    giveBack();
    expect(await first).toBe('answered');
    expect(bodies).toEqual(['first', 'large', 'first']);
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('answered');
  });

  it.each(['sized', 'chunked'] as const)('with %s framing fail in their turn if they broke off while they waited', async (how) => {
    const { largeResponses, entered, occupy } = watchTurns();
    let breakOff = (): void => undefined;
    const { behave } = byBody({
      large: (request, response) => {
        response.writeHead(200, {
          'content-type': 'application/json',
          ...(how === 'sized' ? { 'content-length': String(2 * HUGE) } : {}),
        });
        response.write(LARGE_TEXT);
        breakOff = () => request.socket.resetAndDestroy();
      },
    });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    const giveBack = occupy();
    const code = codeOf(subgraph.request(query('large'), NEVER));
    await eventually(() => entered.length === 1);
    breakOff();
    await settled(subgraph);
    giveBack();
    expect(await code).toBe('SUBGRAPH_INVALID_RESPONSE');
    expect(await codeOf(subgraph.request(query('other'), NEVER))).toBe('answered');
  });
});

describe('large bodies of requests that the caller aborts', () => {
  it('release the only connection to the next request', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave, requests } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxConnections: 1 }, largeResponses });
    const giveBack = occupy();
    const controller = new AbortController();
    const code = codeOf(subgraph.request(query('large'), controller.signal));
    await eventually(() => entered.length === 1);
    const next = subgraph.request(query('small'), NEVER);
    controller.abort('left');
    expect(await code).toBe('left');
    expect(await next).toEqual(SMALL);
    await eventually(() => requests[0]?.socket.destroyed === true);
    giveBack();
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('answered'); // The aborted response reserves nothing.
  });

  it('are never requested if the query still waits to be sent', async () => {
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, large });
    await using subgraph = await startFakeSubgraph(behave, { settings: ONE_IN_TURN, largeResponses });
    for (const body of ['first', 'large']) await subgraph.request(query(body), NEVER);
    const giveBack = occupy();
    const first = codeOf(subgraph.request(query('first'), NEVER));
    const controller = new AbortController();
    const code = codeOf(subgraph.request(query('large'), controller.signal));
    await eventually(() => bodies.length === 3);
    controller.abort('left');
    expect(await code).toBe('left');
    giveBack();
    expect(await first).toBe('answered');
    await settled(subgraph);
    expect(bodies).toEqual(['first', 'large', 'first']);
  });

  it('end when the client is disposed of', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ large, known: large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    await subgraph.request(query('known'), NEVER);
    occupy();
    const codes = ['large', 'known'].map((body) => codeOf(subgraph.request(query(body), NEVER)));
    await eventually(() => entered.length === 3);
    await subgraph[Symbol.asyncDispose]();
    for (const code of await Promise.all(codes)) expect(['SUBGRAPH_INVALID_RESPONSE', 'SUBGRAPH_TIMEOUT']).toContain(code);
  });
});

describe('large bodies that are rejected', () => {
  it('cause OVERLOADED without a retry and leave the breaker closed', async () => {
    const { largeResponses } = watchTurns({ hasCapacity: ({ remoteAddress }) => remoteAddress !== 'full' });
    const { progress, behave: sendHuge } = counted(textOf(HUGE), 'sized');
    const { behave, bodies, requests } = byBody({ large: sendHuge });
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...PATIENT, ...TOUCHY, retry: { maxRetries: 3 } },
      largeResponses,
    });
    expect(await codeOf(subgraph.request(query('large', 'full'), NEVER))).toBe('OVERLOADED');
    await eventually(() => requests[0]?.socket.destroyed === true);
    expect(progress.sent).toBeLessThan(HUGE);
    expect(await subgraph.request(query('small', 'full'), NEVER)).toEqual(SMALL);
    expect(await codeOf(subgraph.request(query('large', 'other'), NEVER))).toBe('answered');
    expect(await codeOf(subgraph.request(query('large', 'full'), NEVER))).toBe('OVERLOADED');
    expect(bodies).toEqual(['large', 'large']); // The last request is rejected before it is sent, because its size is known.
  });

  it('of a mutation are received even without capacity', async () => {
    const { largeResponses } = watchTurns({ hasCapacity: () => false });
    const { behave } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    expect(await codeOf(subgraph.request({ ...query('large'), kind: 'mutation' }, NEVER))).toBe('answered');
  });

  it('are rejected if half of the connections wait, while other requests are served', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody(Object.fromEntries(['1', '2', '3', '4'].map((body) => [body, large])));
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxConnections: 4 }, largeResponses });
    const giveBack = occupy();
    const codes: Promise<string>[] = [];
    for (const body of ['1', '2', '3', '4']) {
      codes.push(codeOf(subgraph.request(query(body), NEVER)));
      await eventually(() => entered.length === codes.length);
    }
    expect(await Promise.all(codes.slice(2))).toEqual(['OVERLOADED', 'OVERLOADED']);
    await settled(subgraph); // Over the other connections.
    giveBack();
    expect(await Promise.all(codes)).toEqual(['answered', 'answered', 'OVERLOADED', 'OVERLOADED']);
  });
});

describe('turns of large bodies', () => {
  it.each(['sized', 'chunked'] as const)('with a limit of one byte, delay a second %s body until the first is parsed', async (framing) => {
    let goOn = (): void => undefined;
    const halfway = new Promise<void>((resolve) => (goOn = resolve));
    const text = textOf(2 * HUGE);
    const first = counted(text, framing, halfway);
    const second = counted(text, framing);
    const { behave } = byBody({ first: first.behave, second: second.behave });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxLargeResponseBytes: 1 } });
    const order: string[] = [];
    const request = async (body: string): Promise<void> => {
      const { data } = await subgraph.request(query(body), NEVER);
      order.push(body);
      if (body === 'first') expect(second.progress.sent).toBeLessThan(2 * HUGE);
      expect(JSON.stringify({ data }) === text).toBe(true); // Compares booleans, because a diff would print megabytes.
    };
    const all = [request('first')];
    await eventually(() => first.progress.sent === HUGE); // Most of the body has been received, so its turn has begun.
    all.push(request('second'));
    await eventually(() => second.progress.sent > 0);
    await settled(subgraph, second.progress);
    expect(second.progress.sent).toBeLessThan(HUGE);
    expect(order).toEqual([]);
    goOn();
    await Promise.all(all);
    expect(order).toEqual(['first', 'second']);
  });

  it.each([
    ['sized', HUGE, HUGE],
    ['chunked', 2 * LARGE_BODY_BYTES, 2 * (LARGE_BODY_BYTES + PIECE_BYTES)],
  ] as const)('count a waiting %s body by its length or twice its received bytes', async (framing, least, most) => {
    const { largeResponses, entered, occupy } = watchTurns();
    const huge = counted(textOf(HUGE), framing);
    const { behave } = byBody({ large: huge.behave });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    const giveBack = occupy();
    const code = codeOf(subgraph.request(query('large'), NEVER));
    await eventually(() => entered.length === 1);
    await settled(subgraph, huge.progress);
    expect(huge.progress.sent).toBeLessThan(HUGE);
    expect(entered[0]?.bytes).toBeGreaterThanOrEqual(least);
    expect(entered[0]?.bytes).toBeLessThanOrEqual(most);
    giveBack();
    expect(await code).toBe('answered');
  });

  it('alternate between a caller with several responses and another one', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody(Object.fromEntries(['a1', 'a2', 'a3', 'b1'].map((body) => [body, large])));
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxConnections: 8 }, largeResponses });
    const giveBack = occupy();
    const order: string[] = [];
    const all: Promise<unknown>[] = [];
    for (const [body, caller] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
    ] as const) {
      all.push(subgraph.request(query(body, caller), NEVER).then(() => order.push(body)));
      await eventually(() => entered.length === all.length);
    }
    giveBack();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('do not hold a query any more whose response has become small', async () => {
    const texts = [LARGE_TEXT, SMALL_TEXT, SMALL_TEXT];
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, varying: (...all) => respondingSized(texts.shift() ?? '')(...all) });
    await using subgraph = await startFakeSubgraph(behave, { settings: ONE_IN_TURN, largeResponses });
    const request = () => subgraph.request(query('varying'), NEVER);
    await subgraph.request(query('first'), NEVER);
    await request();
    const giveBack = occupy();
    const first = codeOf(subgraph.request(query('first'), NEVER));
    const second = request();
    await settled(subgraph);
    expect(bodies).toEqual(['first', 'varying', 'first']); // The query waits before it is sent.
    giveBack();
    expect(await first).toBe('answered');
    expect(await second).toEqual(SMALL);
    occupy();
    void codeOf(subgraph.request(query('first'), NEVER));
    expect(await request()).toEqual(SMALL);
  });

  it('take turns across all subgraphs, also for queries that waited to be sent', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    await subgraph.request(query('large'), NEVER);
    const giveBack = occupy();
    let isResponded = false;
    const response = subgraph.request(query('large'), NEVER).then(() => (isResponded = true));
    await eventually(() => entered.length === 2);
    await settled(subgraph);
    expect(isResponded).toBe(false);
    giveBack();
    await response;
  });

  it('do not hold a response that is one byte smaller than a large one', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ almost: respondingSized(textOf(LARGE_BODY_BYTES - 1)) });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    occupy();
    expect(await codeOf(subgraph.request(query('almost'), NEVER))).toBe('answered');
    expect(entered).toHaveLength(0);
  });
});
