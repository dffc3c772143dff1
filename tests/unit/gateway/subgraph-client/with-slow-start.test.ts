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

interface QueryResult {
  readonly request: QueuedRequest;
  respond(response: SubgraphResponse): void;
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
  const requested: QueryResult[] = [];
  const watched = new Set<Pending>();
  const lengths = createResponseLengths();
  const next: SubgraphExecutor = (request, _signal) =>
    new Promise((resolve, reject) => {
      requested.push({ request, respond: resolve, fail: reject });
    });
  const send = withSlowStart(next, {
    lengths,
    callerOf: ({ remoteAddress = '' }) => remoteAddress,
    pending: { watch: (one) => void watched.add(one), release: (one) => watched.delete(one), [Symbol.dispose]: () => undefined },
    now: () => NOW,
  });

  function request(count: number, { fetch = pages, caller = 'a', body = 'pages', kind = 'query', signal = NEVER }: Query = {}) {
    const context = { ...REQUEST.context, remoteAddress: caller };
    const request = { ...REQUEST, kind, body, fetch, context };
    return { responses: Array.from({ length: count }, () => send(request, signal)) };
  }

  /** Records a large response, as its head does. */
  function reportLarge({ request }: QueryResult): void {
    lengths.note(request, LARGE_BODY_BYTES);
    request.onLarge?.();
  }

  return { request, requested, watched, lengths, reportLarge };
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
    const { request, requested } = setUp();
    request(100);
    expect(requested).toHaveLength(FIRST_QUERIES);
  });

  it('sends all waiting and later queries after a small response', async () => {
    const { request, requested, watched } = setUp();
    const { responses } = request(100);
    requested[0]?.respond(WELL);
    await turn();
    expect(requested).toHaveLength(100);
    expect(watched.size).toBe(0);
    for (const one of requested) one.respond(WELL);
    expect(await Promise.all(responses)).toEqual(Array.from({ length: 100 }, () => WELL));
    request(100);
    expect(requested).toHaveLength(200);
  });

  it('sends equal queries when a head announces a large response, while others wait', async () => {
    const { request, requested, watched, reportLarge } = setUp();
    request(FIRST_QUERIES);
    request(3);
    request(2, { body: 'other pages' });
    const [first] = requested;
    if (first === undefined) throw new Error('No request was sent.');
    reportLarge(first);
    expect(requested.slice(FIRST_QUERIES).map(({ request }) => request.body)).toEqual(['pages', 'pages', 'pages']);
    expect(watched.size).toBe(2);
    first.respond(WELL);
    await turn();
    expect(requested.at(-1)?.request.body).toBe('other pages');
    expect(watched.size).toBe(1);
  });

  it('starts slowly again for other bodies after a large response', async () => {
    const { request, requested, reportLarge } = setUp();
    request(1);
    requested[0]?.respond(WELL);
    await turn();
    request(1);
    const [, second] = requested;
    if (second === undefined) throw new Error('No request was sent.');
    reportLarge(second);
    request(100, { body: 'other pages' });
    expect(requested).toHaveLength(2 + FIRST_QUERIES);
  });

  it('does not delay another caller or another fetch', () => {
    const { request, requested } = setUp();
    request(100);
    request(1, { caller: 'b' });
    request(1, { fetch: {} });
    expect(requested).toHaveLength(FIRST_QUERIES + 2);
  });

  it('sends one more query after a failure, which does not affect known lengths', async () => {
    const { request, requested, lengths } = setUp();
    const { responses } = request(10);
    requested[0]?.fail(new Error('Simulated failure.'));
    await expect(responses[0]).rejects.toThrow('Simulated failure.');
    await turn();
    expect(requested).toHaveLength(FIRST_QUERIES + 1);
    expect(lengths.isSmall(pages)).toBe(false);
  });

  it('sends a query that has waited for 250 ms', () => {
    const { request, requested, watched } = setUp();
    request(FIRST_QUERIES + 1);
    const [waiter] = watched;
    expect(waiter?.dueAt).toBe(NOW + MAX_WAIT_MS);
    waiter?.expire();
    expect(requested).toHaveLength(FIRST_QUERIES + 1);
    expect(watched.size).toBe(0);
  });

  it('never sends a waiting query whose client has disconnected', async () => {
    const { request, requested, watched } = setUp();
    request(FIRST_QUERIES);
    const { responses } = request(1);
    const [waiter] = watched;
    waiter?.abort(new Error('The client has disconnected.'));
    await expect(responses[0]).rejects.toThrow('The client has disconnected.');
    requested[0]?.respond(WELL);
    await turn();
    expect(requested).toHaveLength(FIRST_QUERIES);
  });

  it('does not delay mutations', () => {
    const { request, requested } = setUp();
    request(100, { kind: 'mutation' });
    expect(requested).toHaveLength(100);
  });
});
