import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { exampleQuery } from '../../../../cli/dev/example-query.ts';

describe('exampleQuery', () => {
  it.each([
    ['no field that can be selected without input', 'type Query { find(by: By!): Int } input By { id: ID }', '{ __typename }'],
    ['only leaf fields', 'type Query { version: String }', '{ version }'],
    ['a field that requires an id', 'type Query { film(id: ID!, n: Int!): Film } type Film { id: ID! }', '{ film(id: "1", n: 1) { id } }'],
    [
      'lists and nested types',
      `type Query { version: String films(first: Int = 3): [Film!]! }
       type Film { year: Int title(lang: String): String id: ID! price: Float similar(to: By!): Film reviews: [Review!]! }
       type Review { stars: Int! film: Film }
       input By { id: ID }`,
      '{ films { id title year reviews { stars } } }',
    ],
  ])('makes a valid query for a schema with %s', (_name, sdl, query) => {
    const schema = buildSchema(sdl);
    expect(exampleQuery(schema)).toBe(query);
    expect(validate(schema, parse(query))).toEqual([]);
  });
});
