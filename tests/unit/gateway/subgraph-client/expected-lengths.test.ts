import { describe, expect, it } from '@jest/globals';
import { createLargeResponses, LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { REQUEST } from './fake-subgraph.ts';

const ALONE = { maxBytes: 1, callerOf: () => '' };

function query(body: string): SubgraphRequest {
  return { ...REQUEST, body };
}

describe('createLargeResponses, of what it expects', () => {
  it('given a mutation with a large response, when an equal one is sent, then nothing is expected', () => {
    const large = createLargeResponses(ALONE);
    const mutation = { ...query('m'), kind: 'mutation' } as const;
    large.note(mutation, LARGE_BODY_BYTES);
    large.note(query('m'), LARGE_BODY_BYTES);
    expect(large.expectedBytes(mutation)).toBeUndefined();
  });

  it('given a mutation with a small response, when a query has the same text, then what is known of the query stays', () => {
    const large = createLargeResponses(ALONE);
    large.note(query('m'), LARGE_BODY_BYTES);
    large.note({ ...query('m'), kind: 'mutation' }, 10);
    expect(large.expectedBytes(query('m'))).toBe(LARGE_BODY_BYTES);
  });

  it('given a text of 40,000 characters, when its response was large, then it is not remembered, and takes the place of no other', () => {
    const large = createLargeResponses(ALONE);
    const long = query('x'.repeat(40_000));
    large.note(query('short'), LARGE_BODY_BYTES);
    large.note(long, LARGE_BODY_BYTES);
    expect([large.expectedBytes(long), large.expectedBytes(query('short'))]).toEqual([undefined, LARGE_BODY_BYTES]);
  });

  it('given 20,000 queries with large responses, then about a MiB of them is remembered, those that were used last', () => {
    const large = createLargeResponses(ALONE);
    const all = Array.from({ length: 20_000 }, (_, index) => query(`${index}`.padStart(91, '0'))); // 100 characters with the subgraph
    const often = query('often');
    large.note(often, LARGE_BODY_BYTES);
    for (const one of all) {
      large.note(one, LARGE_BODY_BYTES);
      large.expectedBytes(often);
    }
    const known = all.map((one) => large.expectedBytes(one) !== undefined);
    const count = known.filter(Boolean).length;
    expect(count).toBeGreaterThan(1_000);
    expect(count * 400).toBeLessThanOrEqual(1_048_576);
    expect(known.indexOf(true)).toBe(all.length - count);
    expect(large.expectedBytes(often)).toBe(LARGE_BODY_BYTES);
  });

  it('given a response that was large, when the next one is small, then it is forgotten', () => {
    const large = createLargeResponses(ALONE);
    const one = query('1');
    expect(large.expectedBytes(one)).toBeUndefined();
    large.note(one, LARGE_BODY_BYTES);
    large.note(one, LARGE_BODY_BYTES + 5);
    expect(large.expectedBytes(one)).toBe(LARGE_BODY_BYTES + 5);
    large.note(one, LARGE_BODY_BYTES - 1);
    expect(large.expectedBytes(one)).toBeUndefined();
  });

  it('given a response to a text, when the same is asked by another caller, or of another subgraph, then it is expected from the same subgraph', () => {
    const large = createLargeResponses(ALONE);
    large.note({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'a' } }, LARGE_BODY_BYTES);
    expect(large.expectedBytes({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'b' } })).toBe(LARGE_BODY_BYTES);
    expect(large.expectedBytes({ ...query('1'), subgraph: 'books' })).toBeUndefined();
    expect(large.expectedBytes(query('2'))).toBeUndefined();
  });
});
