import { describe, expect, it } from '@jest/globals';
import { responding, type Behavior, NEVER, REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';
import { eventually } from '../../../support/time/eventually.ts';

const ALICE = { kind: 'user', id: '1', roles: new Set<string>(), scopes: new Set<string>(), claims: {} } as const;
const BOB = { ...ALICE, id: '2' };
const TEXT = '{"data":{"me":{"tags":["a",{"b":null}]}}}';

/** Holds all responses until they are released. */
function held(text = TEXT) {
  const bodies: string[] = [];
  const waiting: (() => void)[] = [];
  const behave: Behavior = (request, response, body) => {
    bodies.push(body);
    waiting.push(() => responding(text)(request, response, body));
  };
  return { bodies, behave, release: () => waiting.splice(0).forEach((respond) => respond()) };
}

const dedupe = { dedupe: true, headers: { propagate: ['accept-language'] }, retry: { maxRetries: 0 } };

describe('withDedupe', () => {
  it('sends equal concurrent queries once and isolates the results of their callers', async () => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const all = Array.from({ length: 3 }, () => subgraph.request(REQUEST, NEVER));
    await eventually(() => bodies.length > 0);
    release();
    const responses = await Promise.all(all);
    expect(bodies).toHaveLength(1);
    for (const response of responses) expect(response.data).toEqual({ me: { tags: ['a', { b: null }] } });
    const [first, second, third] = responses.map(({ data }) => (data as { me: { tags: unknown[] } }).me);
    first?.tags.push('changed');
    second?.tags.splice(0);
    expect(third?.tags).toEqual(['a', { b: null }]);
  });

  it.each([
    ['another body', { body: '{"query":"{ you { id } }"}' }],
    ['another caller', { context: { ...REQUEST.context, principal: BOB } }],
    [
      'another value of a header that is passed on',
      { context: { ...REQUEST.context, principal: ALICE, headers: { 'accept-language': 'nb' } } },
    ],
    ['a mutation', { kind: 'mutation' as const }],
  ])('sends both requests in case of %s', async (_what, difference) => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const one = { ...REQUEST, context: { ...REQUEST.context, principal: ALICE } };
    const all = [subgraph.request(one, NEVER), subgraph.request({ ...one, ...difference }, NEVER)];
    await eventually(() => bodies.length === 2);
    release();
    await Promise.all(all);
  });

  it('sends two equal concurrent mutations separately', async () => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const all = [1, 2].map(() => subgraph.request({ ...REQUEST, kind: 'mutation' }, NEVER));
    await eventually(() => bodies.length === 2);
    release();
    await Promise.all(all);
  });

  it('sends one request if only headers differ that are not forwarded', async () => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const all = ['a', 'b'].map((id) =>
      subgraph.request({ ...REQUEST, context: { ...REQUEST.context, correlationId: id, headers: { 'x-own': id } } }, NEVER),
    );
    await eventually(() => bodies.length > 0);
    release();
    await Promise.all(all);
    expect(bodies).toHaveLength(1);
  });

  it('completes a shared request until all of its callers have aborted', async () => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const reason = new Error('left');
    const leaving = new AbortController();
    const first = subgraph.request(REQUEST, leaving.signal);
    const second = subgraph.request(REQUEST, NEVER);
    await eventually(() => bodies.length > 0);
    leaving.abort(reason);
    await expect(first).rejects.toBe(reason);
    release();
    expect((await second).data).toBeDefined();
    expect(bodies).toHaveLength(1);

    const all = new AbortController();
    const both = [1, 2].map(() => subgraph.request(REQUEST, all.signal));
    await eventually(() => bodies.length === 2);
    all.abort(reason);
    for (const one of await Promise.allSettled(both)) expect(one).toMatchObject({ status: 'rejected', reason });
    const next = subgraph.request(REQUEST, NEVER); // The query does not join the request that has ended.
    await eventually(() => bodies.length === 3);
    release();
    expect((await next).data).toBeDefined();
  });

  it('rejects for all callers of a failed request and sends the next one', async () => {
    let requested = 0;
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        requested += 1;
        if (requested === 1) request.socket.resetAndDestroy();
        else responding(TEXT)(request, response, body);
      },
      { settings: dedupe },
    );
    const results = await Promise.allSettled([1, 2].map(() => subgraph.request(REQUEST, NEVER)));
    expect(results).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { code: 'SUBGRAPH_UNAVAILABLE' } })));
    expect((await subgraph.request(REQUEST, NEVER)).data).toBeDefined();
  });

  it('rejects for all callers if the response is nested too deeply to be copied', async () => {
    const { bodies, behave, release } = held(`{"data":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`);
    await using subgraph = await startFakeSubgraph(behave, { settings: dedupe });
    const all = [1, 2].map(() => subgraph.request(REQUEST, NEVER));
    await eventually(() => bodies.length > 0);
    release();
    expect(await Promise.allSettled(all)).toMatchObject([1, 2].map(() => ({ reason: { code: 'SUBGRAPH_INVALID_RESPONSE' } })));
  });

  it('sends equal queries separately with the default settings', async () => {
    const { bodies, behave, release } = held();
    await using subgraph = await startFakeSubgraph(behave);
    const all = [1, 2].map(() => subgraph.request(REQUEST, NEVER));
    await eventually(() => bodies.length === 2);
    release();
    await Promise.all(all);
  });
});
