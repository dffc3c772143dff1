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
  answering,
  type Behaviour,
  type FakeSubgraph,
  NEVER,
  REQUEST,
  startFakeSubgraph,
} from '../../../support/subgraphs/fake-subgraph.ts';
import { answeringSized, codeOf, large, LARGE_TEXT, query, textOf } from './large-answers.ts';
import { eventually } from '../../../support/time/eventually.ts';

/** Far more than the system holds of a connection that nobody reads. @unit bytes */
const HUGE = 33_554_432;
const PIECE_BYTES = 65_536;

const SMALL_TEXT = '{"data":{"a":1}}';
const SMALL = { data: { a: 1 }, needsNoEscape: true };

/** Once is enough to open the breaker. */
const TOUCHY = { circuitBreaker: { failures: 1, window: 1, openMs: 60_000 }, retry: { maxRetries: 0 } };
const PATIENT = { requestTimeoutMs: 60_000, maxResponseBytes: 2 * HUGE };
/** A query of which a large response is expected waits for the one before it. */
const ONE_IN_TURN = { ...PATIENT, maxLargeResponseBytes: 1 };

/** A bound that takes one response at a time, and tells of those that came to it. */
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
  /** Takes all of the bound, as a response does that is being received. @returns what gives it back */
  function occupy(): () => void {
    const other: LargeResponse = { request: { ...REQUEST, kind: 'mutation' }, bytes: 1, begin: () => undefined, refuse: () => undefined };
    turns.enter(other);
    return () => turns.leave(other);
  }
  return { largeResponses, entered, occupy };
}

/** Answers by the text of the request, and with something small where nothing is said of it. */
function byBody(behaviours: Readonly<Record<string, Behaviour>>) {
  const bodies: string[] = [];
  const requests: IncomingMessage[] = [];
  const behave: Behaviour = (request, response, body) => {
    if (body !== 'small') {
      bodies.push(body);
      requests.push(request);
    }
    (behaviours[body] ?? answering(SMALL_TEXT))(request, response, body);
  };
  return { behave, bodies, requests };
}

type Framing = 'sized' | 'chunked';

/** A text whose bytes are counted as the connection takes them. */
function counted(text: string, framing: Framing, halfway: Promise<unknown> = Promise.resolve()) {
  const progress = { sent: 0 };
  const behave: Behaviour = (_request, response) => void send(response);

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

/** Asks for something small again and again, until nothing more moves of what is counted. */
async function settled(subgraph: FakeSubgraph, ...progresses: readonly { readonly sent: number }[]): Promise<void> {
  const total = (): number => progresses.reduce((sum, { sent }) => sum + sent, 0);
  for (let [last, calm] = [total(), 0]; calm < 30; calm += 1) {
    expect(await subgraph.ask(query('small', 'other'), NEVER)).toEqual(SMALL);
    if (total() !== last) [last, calm] = [total(), 0];
  }
}

describe('large bodies, when their turn does not come in time', () => {
  it('given the same breaker, when a subgraph does not answer at all, then it opens', async () => {
    const { behave } = byBody({ silent: () => undefined });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...TOUCHY, requestTimeoutMs: 50 } });
    expect(await codeOf(subgraph.ask(query('silent'), NEVER))).toBe('SUBGRAPH_TIMEOUT');
    expect(await codeOf(subgraph.ask(query('small'), NEVER))).toBe('CIRCUIT_OPEN');
  });

  it.each(['query', 'mutation'] as const)(
    'given the response to a %s that waits, when its deadline passes, then SUBGRAPH_TIMEOUT, its connection is closed, and the breaker stays closed',
    async (kind) => {
      const { largeResponses, entered, occupy } = watchTurns();
      const { behave, requests } = byBody({ large });
      await using subgraph = await startFakeSubgraph(behave, { settings: { ...TOUCHY, requestTimeoutMs: 500 }, largeResponses });
      const giveBack = occupy();
      expect(await codeOf(subgraph.ask({ ...query('large'), kind }, NEVER))).toBe('SUBGRAPH_TIMEOUT');
      expect(entered).toHaveLength(1);
      await eventually(() => requests[0]?.socket.destroyed === true);
      expect(await subgraph.ask(query('small'), NEVER)).toEqual(SMALL);
      giveBack();
      expect(await codeOf(subgraph.ask(query('large'), NEVER))).toBe('answered');
    },
  );

  it('given a query that waits before it is sent, when its deadline passes, then SUBGRAPH_TIMEOUT, and the breaker stays closed', async () => {
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, large });
    const settings = { ...TOUCHY, requestTimeoutMs: 500, maxLargeResponseBytes: 1 };
    await using subgraph = await startFakeSubgraph(behave, { settings, largeResponses });
    for (const body of ['first', 'large']) await subgraph.ask(query(body), NEVER);
    const giveBack = occupy();
    const patient: QueuedRequest = { ...query('first'), dueAt: systemClock.monotonic() + 60_000 };
    const first = codeOf(subgraph.ask(patient, NEVER));
    expect(await codeOf(subgraph.ask(query('large'), NEVER))).toBe('SUBGRAPH_TIMEOUT');
    expect(await subgraph.ask(query('small'), NEVER)).toEqual(SMALL);
    giveBack();
    expect(await first).toBe('answered');
    expect(bodies).toEqual(['first', 'large', 'first']);
    expect(await codeOf(subgraph.ask(query('large'), NEVER))).toBe('answered');
  });

  it.each(['sized', 'chunked'] as const)(
    'given a %s body that breaks off while it waits, when its turn comes, then it fails',
    async (how) => {
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
      const code = codeOf(subgraph.ask(query('large'), NEVER));
      await eventually(() => entered.length === 1);
      breakOff();
      await settled(subgraph);
      giveBack();
      expect(await code).toBe('SUBGRAPH_INVALID_RESPONSE');
      expect(await codeOf(subgraph.ask(query('other'), NEVER))).toBe('answered');
    },
  );
});

describe('large bodies, when the caller ends a request', () => {
  it('given a response that waits on the only connection, when its signal is aborted, then the next request has a connection', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave, requests } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxConnections: 1 }, largeResponses });
    const giveBack = occupy();
    const controller = new AbortController();
    const code = codeOf(subgraph.ask(query('large'), controller.signal));
    await eventually(() => entered.length === 1);
    const next = subgraph.ask(query('small'), NEVER);
    controller.abort('left');
    expect(await code).toBe('left');
    expect(await next).toEqual(SMALL);
    await eventually(() => requests[0]?.socket.destroyed === true);
    giveBack();
    expect(await codeOf(subgraph.ask(query('large'), NEVER))).toBe('answered'); // nothing is held for the one that left
  });

  it('given a query that waits before it is sent, when its signal is aborted, then it is never sent', async () => {
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, large });
    await using subgraph = await startFakeSubgraph(behave, { settings: ONE_IN_TURN, largeResponses });
    for (const body of ['first', 'large']) await subgraph.ask(query(body), NEVER);
    const giveBack = occupy();
    const first = codeOf(subgraph.ask(query('first'), NEVER));
    const controller = new AbortController();
    const code = codeOf(subgraph.ask(query('large'), controller.signal));
    await eventually(() => bodies.length === 3);
    controller.abort('left');
    expect(await code).toBe('left');
    giveBack();
    expect(await first).toBe('answered');
    await settled(subgraph);
    expect(bodies).toEqual(['first', 'large', 'first']);
  });

  it('given responses that wait, when the client is disposed of, then all of them end', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ large, known: large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    await subgraph.ask(query('known'), NEVER);
    occupy();
    const codes = ['large', 'known'].map((body) => codeOf(subgraph.ask(query(body), NEVER)));
    await eventually(() => entered.length === 3);
    await subgraph[Symbol.asyncDispose]();
    for (const code of await Promise.all(codes)) expect(['SUBGRAPH_INVALID_RESPONSE', 'SUBGRAPH_TIMEOUT']).toContain(code);
  });
});

describe('large bodies, when they are refused', () => {
  it('given a caller without room, when the response is large, then OVERLOADED, not asked again, and the breaker stays closed', async () => {
    const { largeResponses } = watchTurns({ hasRoom: ({ remoteAddress }) => remoteAddress !== 'full' });
    const { progress, behave: sendHuge } = counted(textOf(HUGE), 'sized');
    const { behave, bodies, requests } = byBody({ large: sendHuge });
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...PATIENT, ...TOUCHY, retry: { maxRetries: 3 } },
      largeResponses,
    });
    expect(await codeOf(subgraph.ask(query('large', 'full'), NEVER))).toBe('OVERLOADED');
    await eventually(() => requests[0]?.socket.destroyed === true);
    expect(progress.sent).toBeLessThan(HUGE);
    expect(await subgraph.ask(query('small', 'full'), NEVER)).toEqual(SMALL);
    expect(await codeOf(subgraph.ask(query('large', 'other'), NEVER))).toBe('answered');
    expect(await codeOf(subgraph.ask(query('large', 'full'), NEVER))).toBe('OVERLOADED');
    expect(bodies).toEqual(['large', 'large']); // the last time it is known before
  });

  it('given a caller without room, when a mutation has a large response, then it is received', async () => {
    const { largeResponses } = watchTurns({ hasRoom: () => false });
    const { behave } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    expect(await codeOf(subgraph.ask({ ...query('large'), kind: 'mutation' }, NEVER))).toBe('answered');
  });

  it('given half of the connections with responses that wait, when a further one comes, then it is refused, and others are answered', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody(Object.fromEntries(['1', '2', '3', '4'].map((body) => [body, large])));
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxConnections: 4 }, largeResponses });
    const giveBack = occupy();
    const codes: Promise<string>[] = [];
    for (const body of ['1', '2', '3', '4']) {
      codes.push(codeOf(subgraph.ask(query(body), NEVER)));
      await eventually(() => entered.length === codes.length);
    }
    expect(await Promise.all(codes.slice(2))).toEqual(['OVERLOADED', 'OVERLOADED']);
    await settled(subgraph); // over the others
    giveBack();
    expect(await Promise.all(codes)).toEqual(['answered', 'answered', 'OVERLOADED', 'OVERLOADED']);
  });
});

describe('large bodies, of their turns', () => {
  it.each(['sized', 'chunked'] as const)(
    'given a bound of one byte, when two %s bodies come, then the second is not received before the first is parsed',
    async (framing) => {
      let goOn = (): void => undefined;
      const halfway = new Promise<void>((resolve) => (goOn = resolve));
      const text = textOf(2 * HUGE);
      const first = counted(text, framing, halfway);
      const second = counted(text, framing);
      const { behave } = byBody({ first: first.behave, second: second.behave });
      await using subgraph = await startFakeSubgraph(behave, { settings: { ...PATIENT, maxLargeResponseBytes: 1 } });
      const order: string[] = [];
      const ask = async (body: string): Promise<void> => {
        const { data } = await subgraph.ask(query(body), NEVER);
        order.push(body);
        if (body === 'first') expect(second.progress.sent).toBeLessThan(2 * HUGE);
        expect(JSON.stringify({ data }) === text).toBe(true); // without a diff of megabytes
      };
      const all = [ask('first')];
      await eventually(() => first.progress.sent === HUGE); // most of it is received, so its turn has come
      all.push(ask('second'));
      await eventually(() => second.progress.sent > 0);
      await settled(subgraph, second.progress);
      expect(second.progress.sent).toBeLessThan(HUGE);
      expect(order).toEqual([]);
      goOn();
      await Promise.all(all);
      expect(order).toEqual(['first', 'second']);
    },
  );

  it.each([
    ['sized', HUGE, HUGE],
    ['chunked', 2 * LARGE_BODY_BYTES, 2 * (LARGE_BODY_BYTES + PIECE_BYTES)],
  ] as const)(
    'given a %s body, when it waits, then it counts with its length, or with twice what has come of it',
    async (framing, least, most) => {
      const { largeResponses, entered, occupy } = watchTurns();
      const huge = counted(textOf(HUGE), framing);
      const { behave } = byBody({ large: huge.behave });
      await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
      const giveBack = occupy();
      const code = codeOf(subgraph.ask(query('large'), NEVER));
      await eventually(() => entered.length === 1);
      await settled(subgraph, huge.progress);
      expect(huge.progress.sent).toBeLessThan(HUGE);
      expect(entered[0]?.bytes).toBeGreaterThanOrEqual(least);
      expect(entered[0]?.bytes).toBeLessThanOrEqual(most);
      giveBack();
      expect(await code).toBe('answered');
    },
  );

  it('given a caller with several responses that wait, when another has one, then it goes second', async () => {
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
      all.push(subgraph.ask(query(body, caller), NEVER).then(() => order.push(body)));
      await eventually(() => entered.length === all.length);
    }
    giveBack();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('given a body that was large, when it is small the next time, then an equal query is not held any more', async () => {
    const texts = [LARGE_TEXT, SMALL_TEXT, SMALL_TEXT];
    const { largeResponses, occupy } = watchTurns();
    const { behave, bodies } = byBody({ first: large, varying: (...all) => answeringSized(texts.shift() ?? '')(...all) });
    await using subgraph = await startFakeSubgraph(behave, { settings: ONE_IN_TURN, largeResponses });
    const ask = () => subgraph.ask(query('varying'), NEVER);
    await subgraph.ask(query('first'), NEVER);
    await ask();
    const giveBack = occupy();
    const first = codeOf(subgraph.ask(query('first'), NEVER));
    const second = ask();
    await settled(subgraph);
    expect(bodies).toEqual(['first', 'varying', 'first']); // it waits before it is sent
    giveBack();
    expect(await first).toBe('answered');
    expect(await second).toEqual(SMALL);
    occupy();
    void codeOf(subgraph.ask(query('first'), NEVER));
    expect(await ask()).toEqual(SMALL);
  });

  it('given a query that had its turn before it was sent, when its response comes, then that has its turn among those of all subgraphs', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ large });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    await subgraph.ask(query('large'), NEVER);
    const giveBack = occupy();
    let isAnswered = false;
    const answer = subgraph.ask(query('large'), NEVER).then(() => (isAnswered = true));
    await eventually(() => entered.length === 2);
    await settled(subgraph);
    expect(isAnswered).toBe(false);
    giveBack();
    await answer;
  });

  it('given a response of one byte less than a large one, when the bound is reached, then it is received', async () => {
    const { largeResponses, entered, occupy } = watchTurns();
    const { behave } = byBody({ almost: answeringSized(textOf(LARGE_BODY_BYTES - 1)) });
    await using subgraph = await startFakeSubgraph(behave, { settings: PATIENT, largeResponses });
    occupy();
    expect(await codeOf(subgraph.ask(query('almost'), NEVER))).toBe('answered');
    expect(entered).toHaveLength(0);
  });
});
