import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, parseJsonInTurn } from '../../../../../../gateway/platform/http/request/parse-json.ts';
import { thrownBy } from '../../../../../support/errors/catch-error.ts';

const catchRejection = (...input: Parameters<typeof parseJson>): unknown => thrownBy(() => parseJson(...input));

describe('parseJson', () => {
  it.each([
    ['', 'The body is not valid JSON: unexpected end of the text at line 1, column 1.'],
    ['   \n', 'The body is not valid JSON: unexpected end of the text at line 2, column 1.'],
    ['{"query": "{ a }"', 'The body is not valid JSON: unexpected end of the text at line 1, column 18.'],
    ['{"a":1,}', 'The body is not valid JSON: expected a key in double quotes at line 1, column 8.'],
    ['{\n  a: 1\n}', 'The body is not valid JSON: expected a key in double quotes at line 2, column 3.'],
    ['{"a" 1}', 'The body is not valid JSON: expected ":" at line 1, column 6.'],
    ['{"a":1 "b":2}', 'The body is not valid JSON: expected "," or "}" at line 1, column 8.'],
    ['[1 2]', 'The body is not valid JSON: expected "," or "]" at line 1, column 4.'],
    ['[1,]', 'The body is not valid JSON: expected a value at line 1, column 4.'],
    ['[nope]', 'The body is not valid JSON: expected a value at line 1, column 2.'],
    ['[01]', 'The body is not valid JSON: expected "," or "]" at line 1, column 3.'],
    ['{} {}', 'The body is not valid JSON: unexpected text after the value at line 1, column 4.'],
    ['"a\nb"', 'The body is not valid JSON: unescaped control character in a string at line 1, column 3.'],
    ['"\\x"', 'The body is not valid JSON: invalid escape sequence in a string at line 1, column 2.'],
    ['"never', 'The body is not valid JSON: unterminated string at line 1, column 7.'],
  ])('reports the reason and location of the error in %j', (text, message) => {
    expect(catchRejection(text)).toMatchObject({ code: 'BAD_REQUEST', status: 400, message });
  });

  it.each([
    ['__proto__', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['__proto__ with escapes', '{"\\u005f_proto__":{"admin":true}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"admin":true}}}'],
  ])('rejects a body with the key %s', (_key, text) => {
    expect(catchRejection(text)).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The body contains a forbidden key (__proto__ or constructor.prototype).',
    });
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it.each([
    ['arrays', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['objects', '{"a":'.repeat(500_000) + '1' + '}'.repeat(500_000)],
    ['arrays that are never closed', '['.repeat(1_000_000)],
  ])('rejects half a million nested %s without a stack overflow', (_kind, text) => {
    expect(catchRejection(text)).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The body is nested too deeply. The maximum depth is 64 levels.',
    });
  });

  it('names the limit and the subject if a value is one level too deep', () => {
    expect(catchRejection('[[[]]]', { maxDepth: 2, subject: '"variables"' })).toMatchObject({
      message: '"variables" is nested too deeply. The maximum depth is 2 levels.',
    });
    expect(parseJson('[[]]', { maxDepth: 2 })).toEqual([[]]);
  });

  it('does not count brackets in strings as nesting', () => {
    const text = JSON.stringify({ query: '{['.repeat(100), escaped: '\\"['.repeat(100) });
    expect(parseJson(text, { maxDepth: 1 })).toEqual(JSON.parse(text));
  });

  it('accepts a harmless key called constructor and a byte order mark', () => {
    expect(parseJson('\ufeff{"constructor":"Ford"}')).toEqual({ constructor: 'Ford' });
  });

  it('parses any JSON text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 10, noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reports a location inside the text when one character was changed', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (text, at, replacement) => {
        const index = at % (text.length + 1);
        const changed = text.slice(0, index) + replacement + text.slice(index + 1);
        const error = catchRejection(changed);
        if (error === undefined) return;
        expect(error).toMatchObject({ code: 'BAD_REQUEST' });
        expect((error as Error).message).toMatch(
          /^The body (?:is not valid JSON: .+ at line \d+, column \d+\.|contains a forbidden key \(__proto__ or constructor\.prototype\)\.)$/,
        );
      }),
    );
  });
});

describe('parseJsonInTurn', () => {
  const LONG = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ [`key${index}`]: index })));
  const INNER = LONG.slice(1, -1);

  it.each([
    ['that is invalid', `[${INNER},{a:1}]`],
    ['that is invalid at its end', `[${INNER},]`],
    ['that is truncated', LONG.slice(0, -2)],
    ['followed by another one', `${LONG}${LONG}`],
    ['with the key __proto__', `[${INNER},{"__proto__":{"admin":true}}]`],
    ['with that key in escape sequences', `[${INNER},{"\\u005f_proto__":{"admin":true}}]`],
    ['with the keys constructor.prototype', `[${INNER},{"constructor":{"prototype":{"admin":true}}}]`],
    ['that is nested too deeply', `[${INNER},${'['.repeat(64)}${']'.repeat(64)}]`],
  ])('throws the same error as parseJson for a long text %s', async (_what, text) => {
    const expected = catchRejection(text) as Error;
    expect(expected.message).toMatch(/^The body /);
    await expect(parseJsonInTurn(text)).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400, message: expected.message });
  });

  it.each([
    ['long', LONG],
    ['short', '{"a":[1]}'],
    ['long, with a byte order mark', `\uFEFF${LONG}`],
    ['long, with a harmless key called constructor', `[${INNER},{"constructor":"Ford"}]`],
  ])('returns the same value as parseJson for a text that is %s', async (_what, text) => {
    expect(await parseJsonInTurn(text)).toEqual(parseJson(text));
  });

  it('does not block the event loop for a long text', async () => {
    let iterations = 0;
    const counting = setInterval(() => undefined, 1_000);
    const count = (): void => {
      iterations += 1;
      setImmediate(count).unref();
    };
    count();
    const keys = Object.fromEntries(Array.from({ length: 85_000 }, (_, index) => [`k${index}`, 1]));
    expect(await parseJsonInTurn(JSON.stringify(keys))).toEqual(keys);
    clearInterval(counting);
    expect(iterations).toBeGreaterThan(5);
  });
});
