import { describe, expect, it } from '@jest/globals';
import type { ConnectVersion } from '../../../../../gateway/connectors/connect-version.ts';
import { compileSelection } from '../../../../../gateway/connectors/selection/compile-selection.ts';
import type { SelectionProblem, WantedFields } from '../../../../../gateway/connectors/selection/compiled-mapping.ts';
import { parseExpression, parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import { mapValue } from './map-value.ts';

const BOOK = {
  id: 7,
  title: 'Emma',
  'sub title': 'A novel',
  author: { name: { first: 'Jane', last: 'Austen' }, born: null },
  editions: [
    { year: 1815, tags: [{ t: 'a' }, { t: 'b' }] },
    { year: 1816, tags: [] },
  ],
  relatedIds: [1, 2],
};

describe('compileSelection', () => {
  it.each<[string, unknown, unknown, readonly unknown[]]>([
    ['missing', BOOK, {}, [['missing']]],
    ['$.missing', BOOK, undefined, [['missing']]],
    ['author.name.middle', BOOK, undefined, [['author', 'name', 'middle']]],
    ['a: title.length', BOOK, {}, [['title', 'length']]],
    [
      'y: editions.yeer',
      BOOK,
      { y: [null, null] },
      [
        ['editions', 0, 'yeer'],
        ['editions', 1, 'yeer'],
      ],
    ],
    [
      'editions { x: tags { u } }',
      BOOK,
      { editions: [{ x: [{}, {}] }, { x: [] }] },
      [
        ['editions', 0, 'tags', 0, 'u'],
        ['editions', 0, 'tags', 1, 'u'],
      ],
    ],
    ['author { born { year } }', BOOK, { author: { born: null } }, []],
    ['title { x }', BOOK, { title: 'Emma' }, [['title', 'x']]],
    ['a: $args.id', BOOK, {}, [['$args']]],
    ['id title.x { y }', BOOK, { id: 7 }, [['title', 'x'], []]],
    ['constructor toString', BOOK, {}, [['constructor'], ['toString']]],
    ['a: author.__proto__', BOOK, {}, [['author', '__proto__']]],
  ])('reports what %s does not find', (text, data, value, paths) => {
    const result = mapValue(text, data);
    expect(result.value).toEqual(value);
    expect(result.problems.map(({ path }) => path)).toEqual(paths);
  });

  it('reports the position of a problem in the text', () => {
    expect(mapValue('id\nauthor { nam }', BOOK).problems).toEqual([
      { message: 'The object has no property "nam"', path: ['author', 'nam'], offset: 12 },
    ]);
  });

  it('reports a limited number of problems', () => {
    const { value, problems } = mapValue(
      '$.a',
      Array.from({ length: 5_000 }, () => ({})),
    );
    expect(value).toHaveLength(5_000);
    expect(problems).toHaveLength(100);
  });

  it.each([
    ['author?.died?.year', undefined],
    ['a: author.born?.year', {}],
    ['a: $.nothing?->first', {}],
    ['a: $(author.died ?? "unknown")', { a: 'unknown' }],
    ['a: $(author.born ?? author.name.first)', { a: 'Jane' }],
    ['a: $(author.born ?! "unknown")', { a: null }],
    ['a: $(author.died ?! author.none ?! 1)', { a: 1 }],
  ])('accepts missing values in %s', (text, value) => {
    expect(mapValue(text, BOOK)).toEqual({ value, problems: [] });
  });

  it.each([
    ['id title', { id: 7, title: 'Emma' }],
    ["name: title 'sub title'", { name: 'Emma', 'sub title': 'A novel' }],
    ['"x": "sub title"', { x: 'A novel' }],
    ['author { name { last } }', { author: { name: { last: 'Austen' } } }],
    ['author.name', BOOK.author.name],
    ['$.author.name { last }', { last: 'Austen' }],
    ['id author.name { first last }', { id: 7, first: 'Jane', last: 'Austen' }],
    ['who: author.name.first', { who: 'Jane' }],
    ['who: { id first: author.name.first }', { who: { id: 7, first: 'Jane' } }],
    ['editions { year }', { editions: [{ year: 1815 }, { year: 1816 }] }],
    ['t: editions.tags.t', { t: [['a', 'b'], []] }],
    [
      'editions { tags { t } year }',
      {
        editions: [
          { tags: [{ t: 'a' }, { t: 'b' }], year: 1815 },
          { tags: [], year: 1816 },
        ],
      },
    ],
    ['related: relatedIds { id: $ }', { related: [{ id: 1 }, { id: 2 }] }],
    ['related: relatedIds { id: @ }', { related: [{ id: 1 }, { id: 2 }] }],
    ['first: editions->first.year', { first: 1815 }],
    ['first: editions->first { year }', { first: { year: 1815 } }],
    ['size: editions.tags->size', { size: 2 }],
    ['a: $("x") b: $(1.5) c: $(-.5) d: $(true) e: $(null)', { a: 'x', b: 1.5, c: -0.5, d: true, e: null }],
    ['a: $({ b: [$.id, author.name.first, null], "c d": {} })', { a: { b: [7, 'Jane', null], 'c d': {} } }],
    ["$('it\\'s \"so\" \\n')", 'it\'s "so" \\n'],
    ['id # the key\n# title\n', { id: 7 }],
    [
      'a: $(editions)->map({ y: @.year, b: $.id })',
      {
        a: [
          { y: 1815, b: 7 },
          { y: 1816, b: 7 },
        ],
      },
    ],
    ['a: author->as($a)->echo({ f: $a.name.first, id: $.id })', { a: { f: 'Jane', id: 7 } }],
    ['a: author->as($n, @.name.last) { born l: $n }', { a: { born: null, l: 'Austen' } }],
    ['a: author->as($n, 1)->as($n, $n->add(1))->echo($n)', { a: 2 }],
    ['author { name { first last } }  id: $.title', { author: { name: BOOK.author.name }, id: 'Emma' }],
  ])('maps %s', (text, value) => {
    expect(mapValue(text, BOOK)).toEqual({ value, problems: [] });
  });

  it('applies a mapping to each item of a list', () => {
    expect(mapValue('i: id', [{ id: 1 }, { id: 2 }, null]).value).toEqual([{ i: 1 }, { i: 2 }, null]);
    expect(mapValue('$.id', [{ id: 1 }, { id: 2 }]).value).toEqual([1, 2]);
    expect(mapValue('a.b', { a: [[{ b: 1 }], [{ b: 2 }, { b: 3 }]] }).value).toEqual([[1], [2, 3]]);
  });

  it('takes the only path of a selection as its value, from version 0.3', () => {
    expect(mapValue('editions { year.x }', { editions: [{ year: { x: 1 } }] }).value).toEqual({ editions: [1] });
  });

  it('reads variables by name, but not those that the prototype of all objects has', () => {
    const variables = { $args: { id: 'u1', filters: [{ v: 1 }, { v: 2 }] }, $status: 404 };
    expect(mapValue('id: $args.id f: $args.filters.v s: $status', {}, variables).value).toEqual({ id: 'u1', f: [1, 2], s: 404 });
    expect(mapValue('a: $constructor b: $__proto__', {}, variables)).toMatchObject({ value: {}, problems: [{}, {}] });
  });

  it('writes names of prototypes as plain properties', () => {
    const data = JSON.parse('{"a": {"polluted": 1}, "o": {"__proto__": {"x": 1}}}') as unknown;
    for (const [text, version] of [
      ['__proto__: a', '0.3'],
      ['$({ "__proto__": a })', '0.3'],
      ['...$.o', '0.4'],
    ] satisfies [string, ConnectVersion][]) {
      const value = mapValue(text, data, {}, version).value as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['id ...author.name', { id: 7, first: 'Jane', last: 'Austen' }],
    ['id ...author.name { last }', { id: 7, last: 'Austen' }],
    ['...title', {}],
    ['id ...author.born', null],
    ['a: null, b: true, c: "title", d: 1e3, e: [id, "x"],', { a: null, b: true, c: 'title', d: 1000, e: [7, 'x'] }],
    ['a: $({ id, t: title })', { a: { id: 7, t: 'Emma' } }],
    ['a: { "id": id, "deep": { "x": [1] } }', { a: { id: 7, deep: { x: [1] } } }],
    ['{ "a": 1, "b": [true, null, "x\\n\\u0041"] }', { a: 1, b: [true, null, 'x\nA'] }],
    ['a: author.died ?? "unknown"', { a: 'unknown' }],
    ['a: $."sub title"', { a: 'A novel' }],
  ])('maps %s in version 0.4', (text, value) => {
    expect(mapValue(text, BOOK, {}, '0.4').value).toEqual(value);
  });

  it('maps data whose lists are nested without end', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    for (const text of ['a b', '$.a', '$->jsonStringify', '$->map(@.a)', '$->eq($)', '$->echo([@])->in([[1]])']) {
      expect(() => mapValue(text, deep)).not.toThrow();
    }
    expect(mapValue('$->keysToCamelCaseDeep', deep, {}, '0.4').value).toBeDefined();
  });

  it('computes only the fields that are wanted', () => {
    const problems: SelectionProblem[] = [];
    const wanted: WantedFields = new Map([
      ['id', undefined],
      ['author', new Map([['last', undefined]])],
      ['e', new Map([['y', undefined]])],
      ['l', new Map([['x', undefined]])],
    ]);
    const text = `
      id title other: nothing
      author { first: name.first last: name.last }
      e: editions->map({ y: @.year, z: @.none })->slice(0, 1)
      l: $({ x: 1, y: $.none })
      author.name { first id: last }`;
    const value = compileSelection(parseSelection(text, '0.3'), wanted)(BOOK, {}, problems);
    expect(value).toEqual({ id: 'Austen', author: { last: 'Austen' }, e: [{ y: 1815 }], l: { x: 1 } });
    expect(problems).toEqual([]);
  });

  it.each(['length', 'map', 'constructor', '"0"'])('reads %s of the items of a list, and not of the list', (key) => {
    const name = key.replaceAll('"', '');
    expect(mapValue(`x: list.${key} y: ${key}`, { list: [{ [name]: 1 }, {}], [name]: 2 }).value).toEqual({ x: [1, null], y: 2 });
    expect(mapValue(`x: ${key}`, {}).value).toEqual({});
  });

  it('creates objects with generated code like those without', () => {
    const text = `a: b "x\\"y": c->match(["1", "one"], [@, "other"]) at: $([ts->slice(6, 10), "-", ts->slice(0, 2)])->joinNotNull("'\u2028") d { e }`;
    const map = compileSelection(parseSelection(text, '0.4'));
    const inputs = [
      { b: 1, c: '1', ts: '31.01.2026', d: { e: 2 } },
      { b: null, c: null, ts: 5, d: [{ e: 2 }, 3, null] },
      { ts: ['a', 'b'], d: null },
      {},
      [{ b: [1] }, { b: 2 }],
      'text',
      null,
    ];
    const before = inputs.map((input) => map(input, {}));
    for (let count = 0; count < 1_500; count += 1) map(inputs[0], {});
    expect(inputs.map((input) => map(input, {}))).toEqual(before);
    expect(inputs.map((input) => map(input, {}, []))).toEqual(before);
    expect(before[0]).toEqual({ a: 1, 'x"y': 'one', at: "2026'\u2028-'\u202831", d: { e: 2 } });
  });

  it('compiles expressions of templates', () => {
    const compile = (text: string): unknown => compileSelection(parseExpression(text, '0.3'))(undefined, { $args: { ids: [1, null, 2] } });
    expect(compile("$args.ids->joinNotNull(',')")).toBe('1,2');
    expect(compile("$args.none ?? 'x'")).toBe('x');
    expect(compile('{ a: $args.ids->first }')).toEqual({ a: 1 });
  });

  it('maps a response without a body to the fields that need no data', () => {
    const text = 'done: $(true) id: $args.id name user { id } group: { name }';
    expect(mapValue(text, undefined, { $args: { id: 'a' } }).value).toEqual({ done: true, id: 'a' });
    expect(compileSelection(parseSelection(text, '0.3'), new Map([['done', undefined]]))(undefined, {})).toEqual({ done: true });
    for (const nothing of ['id name', '$', '$.name', 'user { id }']) expect(mapValue(nothing, undefined).value).toBeUndefined();
    expect(mapValue(text, null).value).toBeNull();
  });

  it('does not change the data', () => {
    const data = structuredClone(BOOK);
    mapValue('author { name } ...author  a: editions->map(@)', data, {}, '0.4');
    expect(data).toEqual(BOOK);
  });
});
