import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import secureJson from 'secure-json-parse';
import { JsonBytes, type JsonSource, JsonText } from '../../../../gateway/platform/json-source.ts';
import { type ForbiddenKeys, NestedTooDeeply, parseInSlices, type SliceSettings } from '../../../../gateway/platform/parse-in-slices.ts';

interface Parsed {
  readonly value: unknown;
  readonly steps: number;
}

function parseSource(source: JsonSource, settings?: SliceSettings): Parsed {
  const slices = parseInSlices(source, settings);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = slices.next();
    if (done === true) return { value, steps };
  }
}

/** Returns the value or the type of error as text, so that both can be compared, including the order of keys. */
function resultOf(read: () => unknown): string {
  try {
    return JSON.stringify(read()) ?? 'undefined';
  } catch (error) {
    if (error instanceof SyntaxError) return 'SyntaxError';
    throw error;
  }
}

const STRICT: ForbiddenKeys = { protoAction: 'error', constructorAction: 'error' };
const REMOVING: ForbiddenKeys = { protoAction: 'remove', constructorAction: 'ignore' };

const SOURCES: readonly [string, (text: string) => JsonSource][] = [
  ['a text', (text) => new JsonText(text)],
  ['bytes', (text) => new JsonBytes(Buffer.from(text), Buffer.byteLength(text) === text.length)],
];

describe.each(SOURCES)('parseInSlices of %s', (_source, toSource) => {
  const parse = (text: string, settings?: SliceSettings): Parsed => parseSource(toSource(text), settings);

  it.each([
    ['short', 'a'],
    ['long', 'a'.repeat(200)],
    ['not ASCII', 'ä€😀'.repeat(40)],
  ])('finds the ends of strings whose text is %s, for each number of backslashes before a quote', (_what, filler) => {
    for (let count = 0; count < 6; count += 1) {
      const value = [`${filler}${'\\'.repeat(count)}"${filler}`, `"${'\\'.repeat(count)}`, '\\'.repeat(count) + filler, [1, 2, 3, 4, 5]];
      const text = JSON.stringify(value);
      expect(parse(text, { sliceLength: 8 }).value).toEqual(value);
      for (const end of [1, 2, 3, 20]) {
        const cut = text.slice(0, -end);
        expect(resultOf(() => parse(cut, { sliceLength: 8 }).value)).toBe(resultOf(() => JSON.parse(cut)));
      }
    }
  });

  it.each([
    '[[1,2,3,4,5],]',
    '[[1,2,3,4,5],,1]',
    '[,[1,2,3,4,5]]',
    '[[1,2,3,4,5] 6]',
    '[6 [1,2,3,4,5]]',
    '[[1,2,3,4,5][1,2,3,4,5]]',
    '[1,2,3,4,5,6,7,8,]',
    '[1,2,3,4,5,6,7,8}',
    '[1,2,3,4,5,6,7,8',
    '[1,2,3,4,5,6,7,8]]',
    '[1,2,3,4,5,6,7,8] 1',
    '1 [1,2,3,4,5,6,7,8]',
    '{"a":[1,2,3,4,5,6,7],}',
    '{"a":1[1,2,3,4,5,6,7]}',
    '{"a":-[1,2,3,4,5,6,7]}',
    '{"a" [1,2,3,4,5,6,7]}',
    '{a:[1,2,3,4,5,6,7]}',
    '{[1,2,3,4,5,6,7]}',
    '{"a":{"b":[1,2,3,4,5,6]} "c"}',
    '{"a":"b":[1,2,3,4,5,6,7]}',
    '["not closed, not closed',
    '["a line\nin a string", 1, 2, 3]',
    ',[1,2,3,4,5,6,7,8]',
    '   ',
    '',
    '\uFEFF[1,2,3,4,5,6,7,8]',
  ])('rejects the malformed text %j like JSON.parse', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parse(text, { sliceLength: 8 })).toThrow(SyntaxError);
  });

  it('returns the same value as JSON.parse for random values and slice lengths', () => {
    const space = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), space, fc.integer({ min: 2, max: 60 }), (value, indent, sliceLength) => {
        const text = JSON.stringify([value, { key: value, 7: value, a: [value] }], null, indent);
        expect(JSON.stringify(parse(text, { sliceLength }).value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on random texts that are nearly JSON', () => {
    const token = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ',',
      ':',
      '"a"',
      '"b":',
      '"\\""',
      '1',
      '-',
      'null',
      ' ',
      '[1,2]',
      '{"c":[3]}',
      '\\',
    );
    let valid = 0;
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), fc.integer({ min: 2, max: 12 }), fc.boolean(), (tokens, sliceLength, inList) => {
        const text = inList ? `[${tokens.join('')}]` : `{"k":[${tokens.join('')}]}`;
        const expected = resultOf(() => JSON.parse(text));
        if (expected !== 'SyntaxError') valid += 1;
        expect(resultOf(() => parse(text, { sliceLength }).value)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(valid).toBeGreaterThan(50);
  });

  it.each([
    ['rejected', STRICT],
    ['removed', REMOVING],
  ])('agrees with secure-json-parse on random objects with keys that are %s', (_what, forbidden) => {
    const key = fc.constantFrom('__proto__', '\\u005f_proto__', 'constructor', 'prototype', 'a');
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('1', '"text"', 'null'),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
        // For duplicate keys, secure-json-parse inspects only the last value.
        fc
          .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name.replace('\\u005f', '_') })
          .map((all) => `{${all.map(([name, inner]) => `"${name}":${inner}`).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), fc.integer({ min: 2, max: 40 }), (items, sliceLength) => {
        const text = `{"all":[${items.join(',')}]}`;
        const expected = resultOf(() => secureJson.parse(text, null, forbidden));
        expect(resultOf(() => parse(text, { sliceLength, forbidden }).value)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects a text with more levels than allowed', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(() => parse(nested(5), { maxDepth: 4, sliceLength: 2 })).toThrow(NestedTooDeeply);
    expect(parse(nested(4), { maxDepth: 4, sliceLength: 2 }).value).toEqual([[[[]]]]);
    expect(() => parse('['.repeat(1_000_000), { maxDepth: 64 })).toThrow(NestedTooDeeply);
  });

  it('uses the last value of a duplicate key', () => {
    expect(JSON.stringify(parse('{"a":[1,2,3,4],"b":2,"a":3,"c":[4,5,6,7]}', { sliceLength: 8 }).value)).toBe(
      '{"a":3,"b":2,"c":[4,5,6,7]}',
    );
  });

  it.each([
    ['an object with 20,000 keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]))],
    [
      'a list of 5,000 objects',
      { data: { items: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] })) } },
    ],
    ['a list of long strings', Array.from({ length: 20 }, (_, index) => `${index}\\"${'x'.repeat(40_000)}`)],
  ])('parses %s in many steps', (_what, value) => {
    const text = JSON.stringify(value);
    const { value: parsed, steps } = parse(text);
    expect(JSON.stringify(parsed)).toBe(text);
    expect(steps).toBeGreaterThan(text.length / 100_000);
  });

  const LONG = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index])));

  it.each([
    ['complete', LONG],
    ['not closed', LONG.slice(0, -1)],
    ['truncated within a string', LONG.slice(0, LONG.lastIndexOf('"'))],
    ['malformed at its end', `${LONG.slice(0, -1)},}`],
    ['followed by another', `${LONG}${LONG}`],
  ])('parses at most two slices at a time of a long object that is %s', (_what, text) => {
    const parsing = jest.spyOn(JSON, 'parse');
    resultOf(() => parse(text).value);
    const lengths = parsing.mock.calls.map(([slice]) => slice.length);
    parsing.mockRestore();
    expect(Math.max(0, ...lengths)).toBeLessThan(65_536);
  });
});
