import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { writeStartingQuery } from '../../../../../gateway/http/server/starting-query.ts';

const everything = (): boolean => true;

function write(sdl: string, isOpen: (document: string) => boolean = everything): string | undefined {
  const schema = buildSchema(sdl);
  const query = writeStartingQuery(schema, isOpen);
  if (query !== undefined) expect(validate(schema, parse(query))).toEqual([]);
  return query;
}

const compact = (query: string | undefined): string | undefined => query?.replaceAll(/\s+/g, ' ').trim();

describe('the starting query of a graph whose fields need input that cannot be guessed', () => {
  it.each([
    ['a custom scalar', 'scalar Money type Query { a(price: Money!): Int }'],
    ['a recursive input object', 'input I { next: [I!]! } type Query { a(input: I!): Int }'],
    ['an input object with @oneOf', 'directive @oneOf on INPUT_OBJECT input I @oneOf { a: Int b: Int } type Query { a(input: I!): Int }'],
    ['a field for machines', 'type Query { _service: Int }'],
  ])('does not exist for %s', (_, sdl) => {
    expect(write(sdl)).toBeUndefined();
  });
});

describe('the starting query', () => {
  it.each([
    [
      'a list before an object, and scalar fields only',
      'type Query { version: String me: User users: [User!]! } type User { id: ID! name: String friends: [User!]! bio(lang: String!): String }',
      'query Users { users { id name } }',
    ],
    [
      'a short page of a connection',
      'type Query { users(first: Int = 20, after: String): Users } type Users { edges: [Edge!]! totalCount: Int } type Edge { node: User! } type User { id: ID! }',
      'query Users { users(first: 3) { edges { node { id } } } }',
    ],
    [
      'the items of a page',
      'type Query { users(limit: Int): Users! } type Users { count: Int items: [User!]! } type User { id: ID! }',
      'query Users { users(limit: 3) { items { id } } }',
    ],
    [
      'variables with values for required arguments',
      'enum Kind { A B } input Filter { kind: Kind! tags: [String!]! note: String } type Query { user(id: ID!, filter: Filter!): User } type User { id: ID! }',
      'query User($id: ID! = "1", $filter: Filter! = {kind: A, tags: ["a"]}) { user(id: $id, filter: $filter) { id } }',
    ],
    [
      'a number of items that is required',
      'type Query { tops(first: Int!): [Int!]! }',
      'query Tops($first: Int! = 3) { tops(first: $first) }',
    ],
    ['a scalar', 'type Query { hello: String }', 'query Hello { hello }'],
    [
      'a nested object without scalar fields above it',
      'type Query { shop: Shop } type Shop { owner: Owner } type Owner { name: String }',
      'query Shop { shop { owner { name } } }',
    ],
    [
      'a member of a union',
      'union Hit = User | Post type Query { hits: [Hit!]! } type User { id: ID! } type Post { id: ID! }',
      'query Hits { hits { __typename ... on User { id } } }',
    ],
    ['no deprecated field', 'type Query { old: [Int] @deprecated fresh: Int }', 'query Fresh { fresh }'],
  ])('has %s', (_, sdl, expected) => {
    expect(compact(write(sdl))).toBe(expected);
  });

  it('omits a field, and a root field, that anonymous callers do not receive', () => {
    const sdl =
      'type Query { secrets: [Secret!]! users: [User!]! } type Secret { id: ID! } type User { id: ID! email: String name: String }';
    const isOpen = (document: string): boolean => !/secrets|email/.test(document);
    expect(compact(write(sdl, isOpen))).toBe('query Users { users { id name } }');
  });

  it('is the best one for callers with credentials if anonymous callers receive nothing', () => {
    expect(compact(write('type Query { me: User } type User { id: ID! }', () => false))).toBe('query Me { me { id } }');
  });
});
