import { describe, expect, it } from '@jest/globals';
import {
  buildASTSchema,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  parse,
  printSchema,
} from 'graphql';
import { createFieldSetter } from '../../../../gateway/supergraph/public-fields.ts';

const DOCUMENT = parse(`
  type Query {
    "First."
    a: Int
    b(
      "An argument."
      x: [In!] = [{ n: 2 }]
      y: E = B @deprecated(reason: "Old.")
      z: ID!
    ): [[Node!]!]! @deprecated
    c: U @deprecated(reason: "Use a.")
    d: Query
  }
  interface Node { id: ID! self(deep: Boolean = true): Node }
  type Item implements Node { id: ID! self(deep: Boolean = true): Item! text: String }
  extend type Item { more: [String] }
  union U = Item | Query
  enum E { A B }
  input In { n: Int = 1 m: In }
`);

function typesWithFields(schema: GraphQLSchema): readonly (GraphQLObjectType | GraphQLInterfaceType)[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'),
  ) as (GraphQLObjectType | GraphQLInterfaceType)[];
}

/** Returns all members of a field, with its types as text. */
function describeField({ args, ...field }: GraphQLField<unknown, unknown>): object {
  const described = args.map((argument) => ({ ...argument, type: String(argument.type), extensions: { ...argument.extensions } }));
  const { resolve, subscribe, ...rest } = field;
  expect([resolve, subscribe]).toEqual([undefined, undefined]);
  return { ...rest, type: String(field.type), extensions: { ...field.extensions }, args: described };
}

describe('createFieldSetter', () => {
  it('creates the same fields as GraphQL.js', () => {
    const expected = buildASTSchema(DOCUMENT);
    const schema = buildASTSchema(DOCUMENT);
    const setFields = createFieldSetter(Object.values(schema.getTypeMap()));
    for (const type of typesWithFields(schema)) setFields(type);
    expect(printSchema(schema)).toBe(printSchema(expected));
    const fieldsOf = (one: GraphQLSchema): readonly object[] =>
      typesWithFields(one).flatMap((type) => Object.values(type.getFields()).map(describeField));
    expect(fieldsOf(schema)).toEqual(fieldsOf(expected));
    const types = Object.values(schema.getTypeMap());
    for (const type of typesWithFields(schema)) {
      for (const { type: reference } of Object.values(type.getFields())) {
        let named: unknown = reference;
        while (typeof named === 'object' && named !== null && 'ofType' in named) named = named.ofType;
        expect(types).toContain(named);
      }
    }
  });

  it('refuses an unknown type', () => {
    const [query] = typesWithFields(buildASTSchema(parse('scalar Money type Query { a: Money }')));
    expect(() => query && createFieldSetter([query])(query)).toThrow('Unknown type: "Money".');
  });
});
