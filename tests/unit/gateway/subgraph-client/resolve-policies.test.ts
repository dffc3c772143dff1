import { describe, expect, it } from '@jest/globals';
import { resolvePolicies } from '../../../../gateway/subgraph-client/resolve-targets.ts';
import { settingsOf } from '../../../support/subgraphs/fake-subgraph.ts';

describe('resolvePolicies', () => {
  it('returns the policies for all subgraphs without an override', () => {
    const all = settingsOf({ requestTimeoutMs: 7 });
    expect(resolvePolicies(all, undefined)).toBe(all);
    const { override: _override, maxLargeResponseBytes: _maxLargeResponseBytes, ...policies } = all;
    expect(resolvePolicies(all, {})).toEqual(policies);
  });

  it('merges single keys of an override into the policies for all subgraphs', () => {
    const all = settingsOf({ retry: { maxRetries: 3, baseDelayMs: 9 }, dedupe: true, tls: { serverName: 'a' } });
    const own = { coalesce: false, dedupe: false, retry: { maxRetries: 0 }, circuitBreaker: { enabled: false }, tls: { caFile: 'b' } };
    expect(resolvePolicies(all, own)).toMatchObject({
      coalesce: false,
      dedupe: false,
      retry: { maxRetries: 0, baseDelayMs: 9 },
      circuitBreaker: { enabled: false, failures: 5 },
      tls: { serverName: 'a', caFile: 'b', rejectUnauthorized: true },
    });
  });
});
