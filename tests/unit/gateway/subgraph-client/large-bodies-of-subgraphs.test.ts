import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import type { subgraphs } from '../../../../gateway/config/sections/subgraphs.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSubgraphClient } from '../../../../gateway/subgraph-client/create-subgraph-client.ts';
import { createLargeResponses, type LargeResponse } from '../../../../gateway/subgraph-client/large-responses.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { responding, type Behavior, NEVER, settingsOf, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';
import { codeOf, large, query } from './large-bodies-server.ts';

const NAMES = ['1', '2', '3', '4', '5', '6', '7', '8'];

function queryOf(subgraph: string, body: string): SubgraphRequest {
  return { ...query(body), subgraph };
}

/** Starts two subgraphs and a client for both. */
async function startTwo(behaviors: { readonly accounts: Behavior; readonly books: Behavior }, settings: z.input<typeof subgraphs>) {
  const servers = [await startFakeSubgraph(behaviors.accounts), await startFakeSubgraph(behaviors.books)] as const;
  const client = createSubgraphClient({
    subgraphs: new Map([
      ['accounts', { name: 'accounts', url: servers[0].url }],
      ['books', { name: 'books', url: servers[1].url }],
    ]),
    settings: settingsOf({ requestTimeoutMs: 60_000, maxConnections: 8, retry: { maxRetries: 0 }, ...settings }),
    logger: silentLogger,
  });
  return {
    request: client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

describe('large bodies of several subgraphs', () => {
  it.each([
    ['one at a time', 1],
    ['all at once', 33_554_432],
  ])('expected %s from a hanging subgraph do not delay those of another subgraph', async (_what, maxLargeResponseBytes) => {
    let hangs = false;
    const accounts: Behavior = (...all) => {
      if (!hangs) large(...all);
    };
    await using two = await startTwo(
      { accounts, books: large },
      { maxLargeResponseBytes, override: { accounts: { requestTimeoutMs: 1_500, circuitBreaker: { enabled: false } } } },
    );
    for (const name of NAMES) await two.request(queryOf('accounts', name), NEVER);
    await two.request(queryOf('books', 'known'), NEVER);
    hangs = true;
    const order: string[] = [];
    const request = async (subgraph: string, body: string): Promise<void> => {
      const code = await codeOf(two.request(queryOf(subgraph, body), NEVER));
      order.push(`${subgraph} ${code}`);
    };
    await Promise.all([...NAMES.map((name) => request('accounts', name)), request('books', 'known')]);
    expect(order).toEqual(['books answered', ...NAMES.map(() => 'accounts SUBGRAPH_TIMEOUT')]);
  });

  it('wait without rejections while other subgraphs use the whole limit', async () => {
    const largeResponses = createLargeResponses({ maxBytes: 1, callerOf: () => '' });
    const other: LargeResponse = { request: queryOf('accounts', ''), bytes: 1, begin: () => undefined, refuse: () => undefined };
    const behave: Behavior = (request, response, body) => (body === 'small' ? responding('{"data":{}}') : large)(request, response, body);
    await using subgraph = await startFakeSubgraph(behave, { settings: { requestTimeoutMs: 60_000, maxConnections: 8 }, largeResponses });
    for (const name of NAMES) await subgraph.request(query(name), NEVER);
    largeResponses.enter(other);
    const codes = NAMES.map((name) => codeOf(subgraph.request(query(name), NEVER)));
    for (let time = 0; time < 20; time += 1) await subgraph.request(query('small'), NEVER);
    largeResponses.leave(other);
    expect(await Promise.all(codes)).toEqual(NAMES.map(() => 'answered'));
  });

  it('of 60 queries without a response do not delay a query of another caller', async () => {
    let open = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const bodies: string[] = [];
    const behave: Behavior = (request, response, body) => {
      bodies.push(body);
      if (body === 'other') return responding('{"data":{}}')(request, response, body);
      return void isOpen.then(() => large(request, response, body));
    };
    await using subgraph = await startFakeSubgraph(behave, { settings: { requestTimeoutMs: 60_000, maxConnections: 16 } });
    const fetch = {};
    const codes = Array.from({ length: 60 }, () => codeOf(subgraph.request({ ...query('pages'), fetch }, NEVER)));
    await subgraph.request(query('other', 'b'), NEVER);
    expect(bodies).toEqual([...Array.from({ length: 8 }, () => 'pages'), 'other']);
    open();
    expect(await Promise.all(codes)).toEqual(Array.from({ length: 60 }, () => 'answered'));
  });
});
