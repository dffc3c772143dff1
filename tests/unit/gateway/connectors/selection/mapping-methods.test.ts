import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAPPING_METHODS } from '../../../../../gateway/connectors/selection/mapping-methods.ts';
import { packageRoot } from '../../../../../gateway/platform/package-root.ts';
import { mapValue } from './map-value.ts';

/** Calls without a result, each with its input and a part of the message. */
const MISTAKES: readonly (readonly [call: string, input: unknown, message: string])[] = [
  ['echo', 1, '->echo takes 1 argument, but has 0'],
  ['map()', [1], '->map takes 1 argument, but has 0'],
  ['first(1)', [1], '->first takes no arguments, but has 1'],
  ['slice(1, 2, 3)', [1], '->slice takes 0 to 2 arguments, but has 3'],
  ['slice(1)', 5, '->slice requires an array or a string, not number'],
  ['size', 5, '->size requires an array, a string or an object, not number'],
  ['size', null, 'not null'],
  ['entries', [], '->entries requires an object, not array'],
  ['keys', 'x', '->keys requires an object, not string'],
  ['values', null, '->values requires an object, not null'],
  ['get(5)', [1], '->get: index 5 is outside'],
  ['get(-2)', 'a', '->get: index -2 is outside'],
  ['get(1.5)', [1], 'requires a whole number, not number'],
  ['get("a")', [1], 'requires a whole number, not string'],
  ['get("a")', {}, '->get: the object has no property "a"'],
  ['get("constructor")', {}, '->get: the object has no property "constructor"'],
  ['get(0)', {}, '->get of an object requires the name of a property, not number'],
  ['get(0)', true, '->get requires an array, a string or an object, not boolean'],
  ['match([1, 2])', 3, '->match has no pair for the value'],
  ['match(1)', 3, 'Each argument of ->match must be a pair'],
  ['match([1, 2, 3])', 3, 'Each argument of ->match must be a pair'],
  ['matchIf([false, 2])', 3, '->matchIf has no pair with a true condition'],
  ['matchIf([1, 2])', 3, '->matchIf has no pair with a true condition'],
  ['filter(@)', [1], '->filter requires a condition that is true or false, not number'],
  ['find(@)', ['x'], '->find requires a condition that is true or false, not string'],
  ['lt("a")', 1, '->lt requires two numbers or two strings, not number and string'],
  ['gte(1)', null, '->gte requires two numbers or two strings, not null and number'],
  ['and(true)', 1, '->and requires a boolean, not number'],
  ['or(true)', null, '->or requires a boolean, not null'],
  ['not', 0, '->not requires a boolean, not number'],
  ['in(1)', 1, '->in requires an array, or two or more values, not number'],
  ['contains(1)', 'abc', '->contains requires an array, not string'],
  ['add("1")', 1, '->add requires numbers'],
  ['sub(1)', '1', '->sub requires numbers'],
  ['div(0)', 1, '->div: the result is not a finite number'],
  ['mod(0)', 1, '->mod: the result is not a finite number'],
  ['mul(1, null)', 1, '->mul requires numbers'],
  ['toString', [1], '->toString requires a scalar, not array: use ->jsonStringify'],
  ['toString', {}, '->toString requires a scalar, not object'],
  ['parseInt', 'abc', '->parseInt: the value is not a whole number in base 10'],
  ['parseInt', '', '->parseInt: the value is not a whole number in base 10'],
  ['parseInt', '1.5', '->parseInt: the value is not a whole number in base 10'],
  ['parseInt(2)', '12', 'in base 2'],
  ['parseInt(1)', '1', '->parseInt requires a base from 2 to 36'],
  ['parseInt', true, '->parseInt requires a string or a number, not boolean'],
  ['jsonParse', '{', '->jsonParse: the string is not JSON'],
  ['jsonParse', {}, '->jsonParse requires a string, not object'],
  ['joinNotNull(1)', ['a'], '->joinNotNull requires a separator that is a string'],
  ['joinNotNull(",")', [{}], '->joinNotNull requires an array of scalars, not of object'],
  ['split(1)', 'a', '->split requires a string and a separator'],
  ['split(",", -1)', 'a', '->split requires a limit'],
  ['trim', 1, '->trim requires a string, not number'],
  ['keysToCamelCase', [], '->keysToCamelCase requires an object, not array'],
];

const RESULTS: readonly (readonly [call: string, input: unknown, result: unknown])[] = [
  ['echo({ a: @ })', 1, { a: 1 }],
  ['map(@->add(1))', [1, 2], [2, 3]],
  ['map({ v: @ })', 1, [{ v: 1 }]],
  ['map(@.a?)', [{ a: 1 }, {}], [1, null]],
  ['match(["a", 1], [@, 2])', 'a', 1],
  ['match(["a", 1], [@, 2])', 'b', 2],
  ['match([{ k: [1] }, "deep"])', { k: [1] }, 'deep'],
  ['match([1, "one"], ["default"])', 2, 'default'],
  ['match(["a", 1], ["a", 2])', 'a', 1],
  ['match(["1", "text"], [1, "number"])', 1, 'number'],
  ['match(["a", 1], [@, 2], ["b", 3])', 'b', 2],
  ['match([null, "none"], [false, "no"])', null, 'none'],
  ['matchIf([@->gt(5), "big"], [true, "small"])', 6, 'big'],
  ['matchIf([@->gt(5), "big"], [true, "small"])', 5, 'small'],
  ['first', [1, 2], 1],
  ['first', 'abc', 'a'],
  ['first', [], undefined],
  ['first', '', undefined],
  ['last', [1, 2], 2],
  ['last', 'abc', 'c'],
  ['slice(1, 3)', [1, 2, 3, 4], [2, 3]],
  ['slice(-2)', 'abcd', 'cd'],
  ['slice', [1], [1]],
  ['size', [1, 2], 2],
  ['size', 'abc', 3],
  ['size', { a: 1 }, 1],
  [
    'entries',
    { a: 1, b: null },
    [
      { key: 'a', value: 1 },
      { key: 'b', value: null },
    ],
  ],
  ['keys', { a: 1, b: 2 }, ['a', 'b']],
  ['values', { a: 1, b: 2 }, [1, 2]],
  ['has("a")', { a: null }, true],
  ['has("toString")', {}, false],
  ['has(-1)', [1], true],
  ['has(1)', [1], false],
  ['has("a")', 5, false],
  ['typeof', null, 'null'],
  ['typeof', [], 'array'],
  ['typeof', {}, 'object'],
  ['typeof', 1, 'number'],
  ['get(-1)', [1, 2], 2],
  ['get(1)', 'abc', 'b'],
  ['get("a")', { a: 1 }, 1],
  ['filter(@->gt(1))', [1, 2, 3], [2, 3]],
  ['filter(@->gt(1))', 2, [2]],
  ['find(@.ok)', [{ ok: false }, { ok: true, id: 1 }], { ok: true, id: 1 }],
  ['find(@->eq(9))', [1], undefined],
  ['eq([1, { a: 2 }])', [1, { a: 2 }], true],
  ['eq({ a: 1 })', { a: 1, b: 2 }, false],
  ['ne(1)', '1', true],
  ['lt(2)', 1, true],
  ['lte(1)', 1, true],
  ['gt("a")', 'b', true],
  ['gte(2)', 1, false],
  ['and(true, false)', true, false],
  ['and(true)', true, true],
  ['or(false, true)', false, true],
  ['or(false)', false, false],
  ['not->not', true, true],
  ['in([1, 2])', 2, true],
  ['in(1, 2)', 3, false],
  ['contains({ a: 1 })', [{ a: 1 }], true],
  ['contains("a")', ['b'], false],
  ['add(1, 2)', 1.5, 4.5],
  ['sub(1)->mul(3)->div(2)->mod(4)', 7, 1],
  ['toString', 1.5, '1.5'],
  ['toString', true, 'true'],
  ['toString', 'x', 'x'],
  ['parseInt', '-42', -42],
  ['parseInt(16)', 'ff', 255],
  ['parseInt', 12.9, 12],
  ['jsonParse', '{"a":[1]}', { a: [1] }],
  ['jsonStringify', { a: [1, null] }, '{"a":[1,null]}'],
  ['joinNotNull("-")', ['a', null, 1, true], 'a-1-true'],
  ['joinNotNull("-")', 'a', 'a'],
  ['as($x)->echo([$x, @])', 1, [1, 1]],
  ['split(",")', 'a,b', ['a', 'b']],
  ['split("")', 'a😀', ['a', '😀']],
  ['split(",", 2)', 'a,b,c', ['a', 'b']],
  ['trim', ' a ', 'a'],
  ['trimStart', ' a ', 'a '],
  ['trimEnd', ' a ', ' a'],
  ['keysToCamelCase', { FirstName: 1, last_name: { keep_me: 2 }, BIRTH_DATE: 3 }, { firstName: 1, lastName: { keep_me: 2 }, birthDate: 3 }],
  ['keysToCamelCaseDeep', [{ a_b: { c_d: [{ EF_GH: 1 }] } }], [{ aB: { cD: [{ efGh: 1 }] } }]],
];

describe('methods of the mapping language', () => {
  it.each(MISTAKES)('->%s has no result for %j, and says why', (call, input, message) => {
    const { value, problems } = mapValue(`$->${call}`, input, {}, '0.4');
    expect(value).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path: [`->${call.replace(/\W.*/, '')}`], offset: 3 });
    expect(problems[0]?.message).toContain(message);
  });

  it.each(['as', 'as(1)', 'as($x.y)', 'as($x, 1, 2)'])('->%s returns its input, and says what is wrong', (call) => {
    expect(mapValue(`$->${call}`, { a: 1 })).toMatchObject({ value: { a: 1 }, problems: [{ path: ['->as'] }] });
  });

  it.each(RESULTS)('->%s of %j', (call, input, result) => {
    expect(mapValue(`$->${call}`, input, {}, '0.4')).toEqual({ value: result, problems: [] });
  });

  it.each(['eq', 'ne', 'lt', 'in', 'contains', 'has', 'get', 'and', 'or'])('->%s has no result for a missing argument', (name) => {
    const input = name === 'contains' ? [1] : name === 'and';
    const { value, problems } = mapValue(`a: v->${name}($.none)`, { v: input });
    expect(value).toEqual({});
    expect(problems).toEqual([{ message: 'The object has no property "none"', path: ['none'], offset: `a: v->${name}($.`.length }]);
  });

  it('ignores arguments of ->and and ->or that are not booleans, and says so', () => {
    expect(mapValue('$->and(null, 0)', true)).toMatchObject({ value: true, problems: [{}, {}] });
    expect(mapValue('$->or("x")', false)).toMatchObject({ value: false, problems: [{}] });
  });

  it('names the item of a list in the path of a problem', () => {
    const { problems } = mapValue('$.list->map(@.a)', { list: [{ a: 1 }, {}] });
    expect(problems).toEqual([{ message: 'The object has no property "a"', path: ['list', '->map', 1, 'a'], offset: 14 }]);
  });

  it('documents each method with its version', () => {
    const page = readFileSync(join(packageRoot, 'docs/reference/mapping-language.md'), 'utf8');
    const documented = page.split('\n').flatMap((line) => {
      const [, calls = '', since] = /^\| (`.*`) \| v(0\.\d) \|/.exec(line) ?? [];
      return [...calls.matchAll(/`(\w+)/g)].map(([, name]) => `${String(name)} ${String(since)}`);
    });
    expect([...new Set(documented)].toSorted()).toEqual([...MAPPING_METHODS].map(([name, { since }]) => `${name} ${since}`).toSorted());
  });

  it('has a test for each method', () => {
    const tested = new Set([...RESULTS].flatMap(([call]) => [...`->${call}`.matchAll(/->(\w+)/g)].map(([, name]) => name)));
    expect([...MAPPING_METHODS.keys()].filter((name) => !tested.has(name))).toEqual([]);
  });
});
