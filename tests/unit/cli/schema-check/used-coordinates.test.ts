import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { affectedCoordinate, usedCoordinates } from '../../../../cli/schema-check/used-coordinates.ts';

const schema = buildSchema(`
  directive @tag(name: String) on FIELD
  interface Node { id(short: Boolean): ID! }
  type Book implements Node { id(short: Boolean): ID! title: String genre: Genre }
  type Shelf implements Node { id(short: Boolean): ID! }
  union Item = Book | Shelf
  enum Genre { NOVEL ESSAY }
  enum Order { UP DOWN }
  input Filter { genre: Genre order: Order and: [Filter!] }
  type Query { node: Node items(filter: Filter): [Item!]! book(genre: Genre = NOVEL): Book }
`);

const used = (document: string) => [...usedCoordinates(schema, parse(document))].toSorted();

describe('the coordinates that a document uses', () => {
  it('of an interface include those of all types that implement it', () => {
    expect(used('{ node { id(short: true) } }')).toEqual([
      'Book',
      'Book.id',
      'Book.id.short',
      'Boolean',
      'ID',
      'Node',
      'Node.id',
      'Node.id.short',
      'Query',
      'Query.node',
      'Shelf',
      'Shelf.id',
      'Shelf.id.short',
    ]);
  });

  it('of a literal are only the fields and enum values that it contains', () => {
    const coordinates = used('{ items(filter: { genre: ESSAY }) { __typename } }');
    expect(coordinates).toEqual(expect.arrayContaining(['Filter', 'Filter.genre', 'Genre', 'Genre.ESSAY', 'Query.items.filter']));
    expect(coordinates).not.toContain('Genre.NOVEL');
    expect(coordinates).not.toContain('Filter.order');
  });

  it('of a variable are all fields and enum values of its type', () => {
    expect(used('query ($filter: Filter) { items(filter: $filter) { __typename } }')).toEqual(
      expect.arrayContaining(['Filter.and', 'Filter.genre', 'Filter.order', 'Genre.ESSAY', 'Genre.NOVEL', 'Order.DOWN', 'Order.UP']),
    );
  });

  it('include type conditions, fragments and directives', () => {
    const document = '{ items { ... on Shelf { id } ...Title } } fragment Title on Book { title @tag(name: "x") }';
    expect(used(document)).toEqual(expect.arrayContaining(['Item', 'Shelf.id', 'Book.title', '@tag', '@tag.name']));
  });

  it('do not include arguments with a default that is not overridden', () => {
    expect(used('{ book { title } }')).not.toContain('Query.book.genre');
  });
});

describe('the coordinate that a change affects', () => {
  it.each([
    ['FIELD_REMOVED', 'Book.title', 'Book.title'],
    ['FIELD_DEPRECATION_REASON_ADDED', 'Book.title.@deprecated', 'Book.title'],
    ['FIELD_ARGUMENT_ADDED', 'Query.book.at', 'Query.book'],
    ['FIELD_ARGUMENT_REMOVED', 'Query.book.genre', 'Query.book.genre'],
    ['INPUT_FIELD_ADDED', 'Filter.size', 'Filter'],
    ['ENUM_VALUE_ADDED', 'Genre.POEM', 'Genre'],
    ['ENUM_VALUE_REMOVED', 'Genre.ESSAY', 'Genre.ESSAY'],
    ['TYPE_REMOVED', 'Shelf', 'Shelf'],
  ])('of %s at %s is %s', (type, path, expected) => {
    expect(affectedCoordinate({ type, path })).toBe(expected);
  });
});
