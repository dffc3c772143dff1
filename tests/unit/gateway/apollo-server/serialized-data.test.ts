import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { serializedData, textOf } from '../../../../gateway/apollo-server/serialized-data.ts';
import { stringifyResult } from '../../../../gateway/apollo-server/serialized-data.ts';

/** JSON with white space that JSON.stringify never writes, to distinguish an original text from a newly written one. */
const TEXT = '{ "a": {"b":[1,"ä\\u2028"]}, "n": null }';
const VALUE = { a: { b: [1, 'ä\u2028'] }, n: null };

describe('serialized data', () => {
  it.each<[string, (data: Record<string, unknown>) => unknown]>([
    ['reads a key', (data) => data['a']],
    ['checks for a key', (data) => 'a' in data],
    ['lists the keys', (data) => Object.keys(data)],
    ['copies it', (data) => ({ ...data })],
    ['sets a key', (data) => (data['x'] = 1)],
    ['deletes a key', (data) => delete data['n']],
    ['defines a key', (data) => Object.defineProperty(data, 'x', { value: 1, configurable: true })],
    ['describes a key', (data) => Object.getOwnPropertyDescriptor(data, 'a')],
    ['freezes it', (data) => Object.freeze(data)],
    ['checks whether it is frozen', (data) => Object.isFrozen(data)],
    ['reads its prototype', (data) => Object.getPrototypeOf(data) as unknown],
    ['serializes it', (data) => JSON.stringify(data)],
    ['logs it', (data) => inspect(data)],
  ])('discards its text as soon as a caller %s', (_what, look) => {
    const data = serializedData(TEXT);
    expect(textOf(data)).toBe(TEXT);
    look(data);
    expect(textOf(data)).toBeUndefined();
  });

  it('reads as the parsed text', () => {
    expect(serializedData(TEXT)).toEqual(VALUE);
    expect(inspect(serializedData('{"a":1}'))).toBe('{ a: 1 }');
    expect(Reflect.ownKeys(serializedData(TEXT))).toEqual(['a', 'n']);
  });

  it('treats `__proto__` as an ordinary key', () => {
    const data = serializedData('{"__proto__":{"x":1}}');
    expect(Object.keys(data)).toEqual(['__proto__']);
    expect(data['x']).toBeUndefined();
  });

  it('is the only value with a text', () => {
    expect([undefined, null, 1, 'a', {}, []].map(textOf)).toEqual(Array.from({ length: 6 }));
  });
});

describe('stringifyResult', () => {
  it('writes the original text of unread data, next to the other result fields', () => {
    expect(stringifyResult({ data: serializedData(TEXT) })).toBe(`{"data":${TEXT}}\n`);
    const result = { errors: undefined, data: serializedData(TEXT), extensions: { 'a"b': 1 } };
    expect(stringifyResult(result)).toBe(`{"data":${TEXT},"extensions":{"a\\"b":1}}\n`);
  });

  it('writes a nested change that a plugin made', () => {
    const data = serializedData(TEXT);
    (data['a'] as { b: unknown[] }).b[0] = 2;
    expect(JSON.parse(stringifyResult({ data }))).toEqual({ data: { a: { b: [2, 'ä\u2028'] }, n: null } });
  });

  it('writes a result without serialized data as Apollo Server does', () => {
    const errors = [{ message: 'no' }];
    expect(stringifyResult({ errors, data: null } as never)).toBe(`${JSON.stringify({ errors, data: null })}\n`);
    expect(stringifyResult({ errors } as never)).toBe(`${JSON.stringify({ errors })}\n`);
  });
});
