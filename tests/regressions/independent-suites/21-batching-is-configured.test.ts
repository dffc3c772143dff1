import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';

describe('point 21: the setting for batches', () => {
  it('has a maximum', () => {
    const largest = { profile: 'dev', graphql: { maxBatchedOperations: 100 } } as const;
    expect(() => resolveGatewayConfig(largest)).not.toThrow();
    expect(() => resolveGatewayConfig({ ...largest, graphql: { maxBatchedOperations: 101 } })).toThrow(/maxBatchedOperations.*100/);
  });

  it('is off by default', async () => {
    expect(resolveGatewayConfig({ profile: 'dev' }).graphql.maxBatchedOperations).toBe(0);
    await using ordinary = await startLibraryGateway();
    const response = await fetch(`${ordinary.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ __typename }' }]),
    });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('BATCHING_DISABLED')]);
  });
});
