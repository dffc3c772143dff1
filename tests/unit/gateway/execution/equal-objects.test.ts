import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { bodiesOf, dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const run = scriptedGraph(
  buildSchema(`
    type Query { books: [Book] best: [Book] shelf: Shelf nodes: [Node] }
    type Shelf { book: Book books: [[Book]] }
    interface Node { id: ID! }
    type Book implements Node { id: ID! title: String! rank: Int author: Author author2: Author editor: Author log: Log }
    type Author implements Node { id: ID! name: String! born: Int home: City city: String books: [Book] }
    type City { id: ID! name: String! }
    type Log { day: Int note: String writer: Author }
  `),
);

const author = (id: string, more: object = {}) => ({ __typename: 'Author', id, ...more });
const tick = () => new Promise((resolve) => setImmediate(resolve));
const idsOf = (body: { variables: Readonly<Record<string, unknown>> } | undefined) =>
  ((body?.variables['representations'] ?? []) as readonly { id: string }[]).map(({ id }) => id);

describe('equal objects at many positions', () => {
  const plan = planOf([
    root('books', '{ books { title author { __typename id } editor { __typename id } } }'),
    lookups(
      'people',
      [0],
      [{ at: ['books.author', 'books.editor'], by: ['Author'], request: '{ ...on Author { name born home { __typename id } } }' }],
    ),
    lookups('cities', [1], [{ at: ['books.author.home', 'books.editor.home'], by: ['*City'], request: '{ ...on City { name } }' }]),
  ]);
  const text = '{ books { title author { id name home { name } } editor { born n: name home { id name } } } }';
  const books = [
    { title: 'A', author: author('1'), editor: author('2') },
    { title: 'B', author: author('1'), editor: author('1') },
    { title: 'C', author: author('2'), editor: null },
  ];
  const home = (id: string) => ({ __typename: 'City', id });
  const people = {
    data: {
      _entities: [
        { name: 'Ann', born: 1, home: home('x') },
        { name: 'Bob', born: null, home: home('x') },
      ],
    },
  };

  it('are fetched once, and each position has the fields that it selects', async () => {
    const script = { books: { data: { books } }, people, cities: { data: { _entities: [{ name: 'Rome' }] } } };
    const result = await run(text, plan, script);
    const ann = { id: '1', name: 'Ann', home: { name: 'Rome' } };
    const bob = { id: '2', name: 'Bob', home: { name: 'Rome' } };
    expect(dataOf(result)).toEqual({
      books: [
        { title: 'A', author: ann, editor: { born: null, n: 'Bob', home: { id: 'x', name: 'Rome' } } },
        { title: 'B', author: ann, editor: { born: 1, n: 'Ann', home: { id: 'x', name: 'Rome' } } },
        { title: 'C', author: bob, editor: null },
      ],
    });
    expect(bodiesOf(result).slice(1).map(idsOf)).toEqual([['1', '2'], ['x']]);
    expect(result.errors).toEqual([]);
  });

  it('report an error at each position of a failed object, and the others are whole', async () => {
    const script = {
      books: { data: { books } },
      people: {
        data: { _entities: [null, { name: 'Bob', born: 2, home: home('y') }] },
        errors: [{ message: 'x', code: 'NOT_FOUND', path: ['_entities', 0] }],
      },
      cities: { data: { _entities: [{ name: null }] }, errors: [{ message: 'y', code: 'CONFLICT', path: ['_entities', 0, 'name'] }] },
    };
    const result = await run(text, plan, script);
    expect(dataOf(result)).toEqual({
      books: [
        { title: 'A', author: null, editor: { born: 2, n: 'Bob', home: null } },
        { title: 'B', author: null, editor: null },
        { title: 'C', author: { id: '2', name: 'Bob', home: null }, editor: null },
      ],
    });
    expect(errorsOf(result).toSorted()).toEqual(
      [
        'books.0.author NOT_FOUND',
        'books.1.author NOT_FOUND',
        'books.1.editor NOT_FOUND',
        'books.0.editor.home.name CONFLICT',
        'books.2.author.home.name CONFLICT',
      ].toSorted(),
    );
  });

  it('report an invalid value at each position', async () => {
    const script = { books: { data: { books } }, people: { data: { _entities: [{ name: 7 }, { name: 'Bob' }] } } };
    const result = await run('{ books { author { name } } }', plan, script);
    expect(dataOf(result)).toEqual({ books: [{ author: null }, { author: null }, { author: { name: 'Bob' } }] });
    expect(errorsOf(result)).toEqual([0, 1].map((index) => `books.${index}.author.name SUBGRAPH_INVALID_RESPONSE`));
  });
});

describe('equal objects with more known fields than their key', () => {
  it('retain the fields that differ between their positions', async () => {
    const plan = planOf([
      root('books', '{ books { author { __typename id city } } }'),
      lookups('people', [0], [{ at: ['books.author'], by: ['Author'], request: '{ ...on Author { name home { name } } }' }]),
    ]);
    const result = await run('{ books { author { city name home { name } } } }', plan, {
      books: { data: { books: [{ author: author('1', { city: 'here' }) }, { author: author('1', { city: 'there' }) }] } },
      people: { data: { _entities: [{ name: 'Ann', home: { name: 'Rome' } }] } },
    });
    expect(idsOf(bodiesOf(result)[1])).toEqual(['1']);
    const ann = { name: 'Ann', home: { name: 'Rome' } };
    expect(dataOf(result)).toEqual({ books: [{ author: { city: 'here', ...ann } }, { author: { city: 'there', ...ann } }] });
  });

  it('retain the fields that another response adds to their position, in any order', async () => {
    const plan = planOf([
      root('books', '{ books { __typename id author { __typename id } } }'),
      lookups('places', [0], [{ at: ['books'], by: ['Book'], request: '{ ...on Book { author { city } } }' }]),
      lookups('people', [0], [{ at: ['books.author'], by: ['Author'], request: '{ ...on Author { name } }' }]),
    ]);
    const book = (id: string) => ({ __typename: 'Book', id, author: author('1') });
    const late = (data: object) => async () => {
      await tick();
      return { data: structuredClone(data) };
    };
    const people = { _entities: [{ name: 'Ann' }] };
    const places = { _entities: [{ author: { city: 'here' } }, { author: { city: 'there' } }] };
    for (const script of [
      { people: { data: people }, places: late(places) },
      { people: late(people), places: { data: places } },
    ]) {
      const result = await run('{ books { author { name city } } }', plan, {
        books: { data: { books: [book('1'), book('2')] } },
        ...script,
      });
      expect(dataOf(result)).toEqual({ books: ['here', 'there'].map((city) => ({ author: { name: 'Ann', city } })) });
    }
  });
});

describe('lookups at some positions only', () => {
  it('fetch only the objects at those positions', async () => {
    const plan = planOf([
      root('books', '{ books { author { __typename id } editor { __typename id } } }'),
      lookups(
        'people',
        [0],
        [{ at: ['books.author', 'books.editor'], by: ['Author'], request: '{ ...on Author { home { __typename id } } }' }],
      ),
      lookups('cities', [1], [{ at: ['books.author.home'], by: ['City'], request: '{ ...on City { name } }' }]),
    ]);
    const result = await run('{ books { author { home { name } } editor { home { id } } } }', plan, {
      books: { data: { books: [{ author: author('1'), editor: author('2') }] } },
      people: { data: { _entities: ['x', 'y'].map((id) => ({ home: { __typename: 'City', id } })) } },
      cities: { data: { _entities: [{ name: 'Rome' }] } },
    });
    expect(idsOf(bodiesOf(result)[2])).toEqual(['x']);
    expect(dataOf(result)).toEqual({ books: [{ author: { home: { name: 'Rome' } }, editor: { home: { id: 'y' } } }] });
  });

  it('do not fetch objects below other types', async () => {
    const plan = planOf([
      root('nodes', '{ nodes { __typename ... on Book { author { __typename id } } ... on Author { id } } }'),
      lookups('people', [0], [{ at: ['nodes|Book.author', 'nodes|Author'], by: ['Author'], request: '{ ...on Author { name } }' }]),
    ]);
    const result = await run('{ nodes { __typename ... on Book { author { name } } ... on Author { name } } }', plan, {
      nodes: {
        data: { nodes: [{ __typename: 'Book', author: author('1') }, author('2'), null, { __typename: 'Book', author: author('2') }] },
      },
      people: { data: { _entities: [{ name: 'Ann' }, { name: 'Bob' }] } },
    });
    expect(dataOf(result)).toEqual({
      nodes: [
        { __typename: 'Book', author: { name: 'Ann' } },
        { __typename: 'Author', name: 'Bob' },
        null,
        { __typename: 'Book', author: { name: 'Bob' } },
      ],
    });
  });
});

describe('objects whose type comes from another response', () => {
  it('are found when the path to equal objects depends on the type', async () => {
    const plan = planOf([
      root('nodes', '{ nodes { id author { __typename id } } }'),
      lookups('types', [0], [{ at: ['nodes'], by: ['*Node'], request: '{ ...on Node { __typename } }' }]),
      lookups('people', [1], [{ at: ['nodes|Book.author'], by: ['Author'], request: '{ ...on Author { name } }' }]),
    ]);
    const result = await run('{ nodes { __typename ... on Book { author { name } } } }', plan, {
      nodes: { data: { nodes: ['1', '2', '3'].map((id) => ({ id, author: author('1') })) } },
      types: { data: { _entities: ['Book', 'Author', 'Book'].map((name) => ({ __typename: name })) } },
      people: { data: { _entities: [{ name: 'Ann' }] } },
    });
    const book = { __typename: 'Book', author: { name: 'Ann' } };
    expect(dataOf(result)).toEqual({ nodes: [book, { __typename: 'Author' }, book] });
    expect(result.errors).toEqual([]);
  });
});

describe('responses that are merged into several objects', () => {
  it('do not share the nested fields that other responses add', async () => {
    const plan = planOf([
      root('books', '{ books { __typename id rank } }'),
      lookups('logs', [0], [{ at: ['books'], by: ['Book'], request: '{ ...on Book { log { day } } }' }]),
      lookups('notes', [0], [{ at: ['books'], by: ['Book { id rank }'], request: '{ ...on Book { log { note } } }' }]),
    ]);
    const book = (rank: number) => ({ __typename: 'Book', id: '1', rank });
    const result = await run('{ books { log { day note } } }', plan, {
      books: { data: { books: [book(1), book(2)] } },
      logs: { data: { _entities: [{ log: { day: 3 } }] } },
      notes: { data: { _entities: [{ log: { note: 'one' } }, { log: { note: 'two' } }] } },
    });
    expect(dataOf(result)).toEqual({ books: ['one', 'two'].map((note) => ({ log: { day: 3, note } })) });
  });
});
