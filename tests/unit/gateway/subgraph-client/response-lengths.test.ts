import { describe, expect, it } from '@jest/globals';
import { LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createResponseLengths } from '../../../../gateway/subgraph-client/response-lengths.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

function query(body: string): SubgraphRequest {
  return { ...REQUEST, body };
}

describe('createResponseLengths', () => {
  it('given a mutation with a large response, when an equal one is sent, then nothing is expected', () => {
    const lengths = createResponseLengths();
    const mutation = { ...query('m'), kind: 'mutation' } as const;
    lengths.note(mutation, LARGE_BODY_BYTES);
    lengths.note(query('m'), LARGE_BODY_BYTES);
    expect(lengths.expectedBytes(mutation)).toBeUndefined();
  });

  it('given a mutation with a small response, when a query has the same text, then what is known of the query stays', () => {
    const lengths = createResponseLengths();
    lengths.note(query('m'), LARGE_BODY_BYTES);
    lengths.note({ ...query('m'), kind: 'mutation' }, 10);
    expect(lengths.expectedBytes(query('m'))).toBe(LARGE_BODY_BYTES);
  });

  it('given a text of 40,000 characters, when its response was large, then it is not remembered, and takes the place of no other', () => {
    const lengths = createResponseLengths();
    const long = query('x'.repeat(40_000));
    lengths.note(query('short'), LARGE_BODY_BYTES);
    lengths.note(long, LARGE_BODY_BYTES);
    expect([lengths.expectedBytes(long), lengths.expectedBytes(query('short'))]).toEqual([undefined, LARGE_BODY_BYTES]);
  });

  it('given 20,000 queries with large responses, then about a MiB of them is remembered, those that were used last', () => {
    const lengths = createResponseLengths();
    const all = Array.from({ length: 20_000 }, (_, index) => query(`${index}`.padStart(91, '0'))); // 100 characters with the subgraph
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

  it('given a response that was large, when the next one is small, then it is forgotten', () => {
    const lengths = createResponseLengths();
    const one = query('1');
    expect(lengths.expectedBytes(one)).toBeUndefined();
    lengths.note(one, LARGE_BODY_BYTES);
    lengths.note(one, LARGE_BODY_BYTES + 5);
    expect(lengths.expectedBytes(one)).toBe(LARGE_BODY_BYTES + 5);
    lengths.note(one, LARGE_BODY_BYTES - 1);
    expect(lengths.expectedBytes(one)).toBeUndefined();
  });

  it('given a response to a text, when the same is asked by another caller, or of another subgraph, then it is expected from the same subgraph', () => {
    const lengths = createResponseLengths();
    lengths.note({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'a' } }, LARGE_BODY_BYTES);
    expect(lengths.expectedBytes({ ...query('1'), context: { ...REQUEST.context, remoteAddress: 'b' } })).toBe(LARGE_BODY_BYTES);
    expect(lengths.expectedBytes({ ...query('1'), subgraph: 'books' })).toBeUndefined();
    expect(lengths.expectedBytes(query('2'))).toBeUndefined();
  });
});
