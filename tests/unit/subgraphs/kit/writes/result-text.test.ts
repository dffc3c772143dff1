import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fingerprintOf } from '../../../../../subgraphs/kit/writes/idempotency-records.ts';
import { decodeResult, encodeResult } from '../../../../../subgraphs/kit/writes/result-text.ts';

const plain = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer(), fc.date({ noInvalidDate: true }));
const row = fc.dictionary(fc.string(), fc.oneof(plain, fc.array(plain), fc.dictionary(fc.string(), plain)));

describe('a recorded result', () => {
  it('rejects a value that is not a row of plain values', () => {
    expect(() => encodeResult({ count: 1n })).toThrow('bigint');
  });

  it('reads back any row, with dates and names that look like the encoding', () => {
    fc.assert(
      fc.property(row, (result) => {
        expect(decodeResult(encodeResult(result))).toEqual({ ...result });
      }),
    );
    const tricky = { date: { date: 'x' }, list: [{ plain: 1 }], fields: new Date(0) };
    expect(decodeResult(encodeResult(tricky))).toEqual(tricky);
  });
});

describe('the fingerprint of an input', () => {
  it('differs for another operation, value or nesting', () => {
    const prints = [
      fingerprintOf('a', { x: 1 }),
      fingerprintOf('b', { x: 1 }),
      fingerprintOf('a', { x: '1' }),
      fingerprintOf('a', { x: [1] }),
      fingerprintOf('a', { x: null }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('does not depend on the order of fields', () => {
    expect(fingerprintOf('a', { x: 1, y: { p: 1, q: 2 } })).toBe(fingerprintOf('a', { y: { q: 2, p: 1 }, x: 1 }));
  });
});
