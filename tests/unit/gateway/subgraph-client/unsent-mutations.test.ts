import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSubgraphClient } from '../../../../gateway/subgraph-client/create-subgraph-client.ts';
import type { SubgraphExecutor, SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { responding, type Behavior, NEVER, REQUEST, settingsOf, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

/** Returns whether the caller was notified that the request was not sent. */
async function isReportedUnsent(request: SubgraphExecutor, kind: SubgraphRequest['kind'] = 'mutation'): Promise<boolean> {
  let isUnsent = false;
  const context = { ...REQUEST.context, onUnsent: () => void (isUnsent = true) };
  await request({ ...REQUEST, kind, context }, NEVER).catch(() => undefined);
  return isUnsent;
}

function clientOf(url: string, settings = settingsOf()) {
  return createSubgraphClient({ subgraphs: new Map([['accounts', { name: 'accounts', url }]]), settings, logger: silentLogger });
}

async function deadUrl(): Promise<string> {
  const subgraph = await startFakeSubgraph(responding('{}'));
  await subgraph[Symbol.asyncDispose]();
  return subgraph.url;
}

describe('a mutation', () => {
  it.each<[string, Behavior]>([
    ['breaks the connection', (request) => request.socket.destroy()],
    ['returns an invalid response', responding('nonsense')],
    ['returns 503', (_request, response) => response.writeHead(503).end()],
  ])('is not reported as unsent if the subgraph %s', async (_what, behave) => {
    await using subgraph = await startFakeSubgraph(behave);
    expect(await isReportedUnsent(subgraph.request)).toBe(false);
  });

  it('is reported as unsent if the connection is refused', async () => {
    await using client = clientOf(await deadUrl());
    expect(await isReportedUnsent(client)).toBe(true);
  });

  it('is reported as unsent if the circuit breaker is open', async () => {
    const url = await deadUrl();
    await using client = clientOf(
      url,
      settingsOf({ circuitBreaker: { enabled: true, failures: 1, window: 1, openMs: 60_000, maxOpenMs: 60_000 } }),
    );
    await isReportedUnsent(client);
    expect(await isReportedUnsent(client)).toBe(true);
  });

  it('is reported as unsent, unlike a query, which is safe to repeat', async () => {
    await using client = clientOf(await deadUrl());
    expect(await isReportedUnsent(client, 'query')).toBe(false);
  });

  it('is not reported as unsent if it succeeds', async () => {
    await using subgraph = await startFakeSubgraph(responding('{"data":{}}'));
    expect(await isReportedUnsent(subgraph.request)).toBe(false);
  });
});
