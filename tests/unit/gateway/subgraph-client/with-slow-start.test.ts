import { describe, expect, it } from '@jest/globals';
import type { Pending } from '../../../../gateway/platform/deadline-watcher.ts';
import { LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createResponseLengths } from '../../../../gateway/subgraph-client/response-lengths.ts';
import type { QueuedRequest } from '../../../../gateway/subgraph-client/with-bulkhead.ts';
import { withSlowStart } from '../../../../gateway/subgraph-client/with-slow-start.ts';
import type { SubgraphExecutor, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { NEVER, REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

const WELL = { data: { a: 1 } };
const FIRST_QUERIES = 8;
const MAX_WAIT_MS = 250;
const NOW = 1_000;

interface Asked {
  readonly request: QueuedRequest;
  answer(response: SubgraphResponse): void;
  fail(error: unknown): void;
}

interface Query {
  readonly fetch?: object;
  readonly caller?: string;
  readonly body?: string;
  readonly kind?: 'query' | 'mutation';
  readonly signal?: AbortSignal;
}

/** Creates a subgraph that responds under the control of the test. Callers are identified by their addresses. */
function setUp() {
  const asked: Asked[] = [];
  const watched = new Set<Pending>();
  const lengths = createResponseLengths();
  const next: SubgraphExecutor = (request, _signal) =>
    new Promise((resolve, reject) => {
      asked.push({ request, answer: resolve, fail: reject });
    });
  const send = withSlowStart(next, {
    lengths,
    callerOf: ({ remoteAddress = '' }) => remoteAddress,
    pending: { watch: (one) => void watched.add(one), release: (one) => watched.delete(one), [Symbol.dispose]: () => undefined },
    now: () => NOW,
  });

  function ask(count: number, { fetch = pages, caller = 'a', body = 'pages', kind = 'query', signal = NEVER }: Query = {}) {
    const context = { ...REQUEST.context, remoteAddress: caller };
    const request = { ...REQUEST, kind, body, fetch, context };
    return { answers: Array.from({ length: count }, () => send(request, signal)) };
  }

  /** Records a large response, as its head does. */
  function tellLarge({ request }: Asked): void {
    lengths.note(request, LARGE_BODY_BYTES);
    request.onLarge?.();
  }

  return { ask, asked, watched, lengths, tellLarge };
}

const pages = {};

/** Lets promises settle. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('withSlowStart', () => {
  it('sends 8 of 100 concurrent queries of a caller before the first response', () => {
    const { ask, asked } = setUp();
    ask(100);
    expect(asked).toHaveLength(FIRST_QUERIES);
  });

  it('sends all waiting and later queries after a small response', async () => {
    const { ask, asked, watched } = setUp();
    const { answers } = ask(100);
    asked[0]?.answer(WELL);
    await turn();
    expect(asked).toHaveLength(100);
    expect(watched.size).toBe(0);
    for (const one of asked) one.answer(WELL);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 100 }, () => WELL));
    ask(100);
    expect(asked).toHaveLength(200);
  });

  it('sends equal queries when a head announces a large response, while others wait', async () => {
    const { ask, asked, watched, tellLarge } = setUp();
    ask(FIRST_QUERIES);
    ask(3);
    ask(2, { body: 'other pages' });
    const [first] = asked;
    if (first === undefined) throw new Error('No request was sent.');
    tellLarge(first);
    expect(asked.slice(FIRST_QUERIES).map(({ request }) => request.body)).toEqual(['pages', 'pages', 'pages']);
    expect(watched.size).toBe(2);
    first.answer(WELL);
    await turn();
    expect(asked.at(-1)?.request.body).toBe('other pages');
    expect(watched.size).toBe(1);
  });

  it('starts slowly again for other bodies after a large response', async () => {
    const { ask, asked, tellLarge } = setUp();
    ask(1);
    asked[0]?.answer(WELL);
    await turn();
    ask(1);
    const [, second] = asked;
    if (second === undefined) throw new Error('No request was sent.');
    tellLarge(second);
    ask(100, { body: 'other pages' });
    expect(asked).toHaveLength(2 + FIRST_QUERIES);
  });

  it('does not delay another caller or another fetch', () => {
    const { ask, asked } = setUp();
    ask(100);
    ask(1, { caller: 'b' });
    ask(1, { fetch: {} });
    expect(asked).toHaveLength(FIRST_QUERIES + 2);
  });

  it('sends one more query after a failure, which does not affect known lengths', async () => {
    const { ask, asked, lengths } = setUp();
    const { answers } = ask(10);
    asked[0]?.fail(new Error('Simulated failure.'));
    await expect(answers[0]).rejects.toThrow('Simulated failure.');
    await turn();
    expect(asked).toHaveLength(FIRST_QUERIES + 1);
    expect(lengths.isSmall(pages)).toBe(false);
  });

  it('sends a query that has waited for 250 ms', () => {
    const { ask, asked, watched } = setUp();
    ask(FIRST_QUERIES + 1);
    const [waiter] = watched;
    expect(waiter?.dueAt).toBe(NOW + MAX_WAIT_MS);
    waiter?.expire();
    expect(asked).toHaveLength(FIRST_QUERIES + 1);
    expect(watched.size).toBe(0);
  });

  it('never sends a waiting query whose client has disconnected', async () => {
    const { ask, asked, watched } = setUp();
    ask(FIRST_QUERIES);
    const { answers } = ask(1);
    const [waiter] = watched;
    waiter?.abort(new Error('The client has disconnected.'));
    await expect(answers[0]).rejects.toThrow('The client has disconnected.');
    asked[0]?.answer(WELL);
    await turn();
    expect(asked).toHaveLength(FIRST_QUERIES);
  });

  it('does not delay mutations', () => {
    const { ask, asked } = setUp();
    ask(100, { kind: 'mutation' });
    expect(asked).toHaveLength(100);
  });
});
