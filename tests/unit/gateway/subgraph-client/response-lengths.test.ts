import { describe, expect, it } from '@jest/globals';
import { LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createResponseLengths } from '../../../../gateway/subgraph-client/response-lengths.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

function query(body: string): SubgraphRequest {
  return { ...REQUEST, body };
}

describe('createResponseLengths', () => {
  it('expects nothing for mutations', () => {
    const lengths = createResponseLengths();
    const mutation = { ...query('m'), kind: 'mutation' } as const;
    lengths.note(mutation, LARGE_BODY_BYTES);
    lengths.note(query('m'), LARGE_BODY_BYTES);
    expect(lengths.expectedBytes(mutation)).toBeUndefined();
  });

  it('does not change the length of a query when a mutation has the same text', () => {
    const lengths = createResponseLengths();
    lengths.note(query('m'), LARGE_BODY_BYTES);
    lengths.note({ ...query('m'), kind: 'mutation' }, 10);
    expect(lengths.expectedBytes(query('m'))).toBe(LARGE_BODY_BYTES);
  });

  it('does not store queries of 40,000 characters and evicts no others for them', () => {
    const lengths = createResponseLengths();
    const long = query('x'.repeat(40_000));
    lengths.note(query('short'), LARGE_BODY_BYTES);
    lengths.note(long, LARGE_BODY_BYTES);
    expect([lengths.expectedBytes(long), lengths.expectedBytes(query('short'))]).toEqual([undefined, LARGE_BODY_BYTES]);
  });

  it('stores about one MiB of 20,000 queries, those that were used last', () => {
    const lengths = createResponseLengths();
    // 100 characters with the name of the subgraph.
    const all = Array.from({ length: 20_000 }, (_, index) => query(`${index}`.padStart(91, '0')));
    const often = query('often');
    lengths.note(often, LARGE_BODY_BYTES);
    for (const one of all) {
      lengths.note(one, LARGE_BODY_BYTES);
      lengths.expectedBytes(often);
    }
    const known = all.map((one) => lengths.expectedBytes(one) !== undefined);
    const count = known.filter(Boolean).length;
    expect(count).toBeGreaterThan(1_000);
    expect(count * 400).toBeLessThanOrEqual(1_048_576);
    expect(known.indexOf(true)).toBe(all.length - count);
    expect(lengths.expectedBytes(often)).toBe(LARGE_BODY_BYTES);
  });

  it('forgets a query whose next response is small', () => {
    const lengths = createResponseLengths();
    const one = query('1');
    expect(lengths.expectedBytes(one)).toBeUndefined();
    lengths.note(one, LARGE_BODY_BYTES);
    lengths.note(one, LARGE_BODY_BYTES + 5);
    expect(lengths.expectedBytes(one)).toBe(LARGE_BODY_BYTES + 5);
    lengths.note(one, LARGE_BODY_BYTES - 1);
    expect(lengths.expectedBytes(one)).toBeUndefined();
  });

  it('expects the same length for other callers, but not for other subgraphs', () => {
    const lengths = createResponseLengths();
    lengths.note({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'a' } }, LARGE_BODY_BYTES);
    expect(lengths.expectedBytes({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'b' } })).toBe(LARGE_BODY_BYTES);
    expect(lengths.expectedBytes({ ...query('1'), subgraph: 'books' })).toBeUndefined();
    expect(lengths.expectedBytes(query('2'))).toBeUndefined();
  });
});
