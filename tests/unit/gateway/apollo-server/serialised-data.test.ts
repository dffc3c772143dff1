import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { serialisedData, textOf } from '../../../../gateway/apollo-server/serialised-data.ts';
import { stringifyResult } from '../../../../gateway/apollo-server/serialised-data.ts';

/** With white space that JSON.stringify would not write, so that a text that was passed on is told from one that was made. */
const TEXT = '{ "a": {"b":[1,"ä\\u2028"]}, "n": null }';
const VALUE = { a: { b: [1, 'ä\u2028'] }, n: null };

describe('serialisedData', () => {
  it.each<[string, (data: Record<string, unknown>) => unknown]>([
    ['reads a key', (data) => data['a']],
    ['asks for a key', (data) => 'a' in data],
    ['lists the keys', (data) => Object.keys(data)],
    ['copies it', (data) => ({ ...data })],
    ['sets a key', (data) => (data['x'] = 1)],
    ['deletes a key', (data) => delete data['n']],
    ['defines a key', (data) => Object.defineProperty(data, 'x', { value: 1, configurable: true })],
    ['describes a key', (data) => Object.getOwnPropertyDescriptor(data, 'a')],
    ['freezes it', (data) => Object.freeze(data)],
    ['asks whether it is frozen', (data) => Object.isFrozen(data)],
    ['asks for its prototype', (data) => Object.getPrototypeOf(data) as unknown],
    ['serialises it', (data) => JSON.stringify(data)],
    ['shows it on a console', (data) => inspect(data)],
  ])('given data, when somebody %s, then its text no longer counts', (_what, look) => {
    const data = serialisedData(TEXT);
    expect(textOf(data)).toBe(TEXT);
    look(data);
    expect(textOf(data)).toBeUndefined();
  });

  it('given data, when it is read, then it is what the text says', () => {
    expect(serialisedData(TEXT)).toEqual(VALUE);
    expect(inspect(serialisedData('{"a":1}'))).toBe('{ a: 1 }');
    expect(Reflect.ownKeys(serialisedData(TEXT))).toEqual(['a', 'n']);
  });

  it('given a key that names a prototype, when it is read, then it is a key and nothing else', () => {
    const data = serialisedData('{"__proto__":{"x":1}}');
    expect(Object.keys(data)).toEqual(['__proto__']);
    expect(data['x']).toBeUndefined();
  });

  it('given anything else, when its text is asked for, then there is none', () => {
    expect([undefined, null, 1, 'a', {}, []].map(textOf)).toEqual(Array.from({ length: 6 }));
  });
});

describe('stringifyResult', () => {
  it('given data that nobody looked at, when written, then its text is passed on, with what stands beside it', () => {
    expect(stringifyResult({ data: serialisedData(TEXT) })).toBe(`{"data":${TEXT}}\n`);
    const result = { errors: undefined, data: serialisedData(TEXT), extensions: { 'a"b': 1 } };
    expect(stringifyResult(result)).toBe(`{"data":${TEXT},"extensions":{"a\\"b":1}}\n`);
  });

  it('given data that a plugin changed deep inside, when written, then the change is there', () => {
    const data = serialisedData(TEXT);
    (data['a'] as { b: unknown[] }).b[0] = 2;
    expect(JSON.parse(stringifyResult({ data }))).toEqual({ data: { a: { b: [2, 'ä\u2028'] }, n: null } });
  });

  it('given an answer without such data, when written, then it is what Apollo Server writes', () => {
    const errors = [{ message: 'no' }];
    expect(stringifyResult({ errors, data: null } as never)).toBe(`${JSON.stringify({ errors, data: null })}\n`);
    expect(stringifyResult({ errors } as never)).toBe(`${JSON.stringify({ errors })}\n`);
  });
});
