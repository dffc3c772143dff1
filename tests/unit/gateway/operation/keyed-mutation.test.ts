import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { type KeyedMutation, keyMutation } from '../../../../gateway/operation/keyed-mutation.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query { a: Int }
  type Mutation {
    pay(amount: Int!, idempotencyKey: String!): Int
    order(qty: Int, idempotencyKey: ID): Int
    rename(name: String): Int
    batch(idempotencyKey: [String!]): Int
    count(idempotencyKey: Int): Int
  }
`);

const keyed = (text: string, name?: string): KeyedMutation | undefined => keyMutation(schema, text, parse(text), name);

describe('keyMutation', () => {
  it.each([
    'mutation { pay(amount: 1) order(qty: 1) }',
    'mutation { one: pay(amount: 1) two: pay(amount: 1) }',
    'mutation { pay(amount: 1) pay(amount: 1) }',
    'mutation { ...F } fragment F on Mutation { pay(amount: 1) }',
    'mutation { ... { pay(amount: 1) } }',
  ])('rejects %s, because a key requires exactly one direct root field', (text) => {
    expect(() => keyed(text)).toThrow('one root field');
  });

  it.each(['{ a }', 'query A { a }', 'query A { a b } mutation B { pay(amount: 1) }'])(
    'returns undefined for %s, because queries take no key',
    (text) => {
      expect(keyed(text, text.includes('A') ? 'A' : undefined)).toBeUndefined();
    },
  );

  it('rejects several operations without an operation name', () => {
    expect(() => keyed('mutation A { rename } mutation B { rename }')).toThrow(GatewayError);
  });

  it.each(['rename(name: "x")', 'batch', 'count', 'nothing', '__typename'])('finds no key argument for the field %s', (field) => {
    const found = keyed(`mutation { ${field} }`);
    expect(found).toMatchObject({ field: field.replace(/\(.*/, '') });
    expect(found?.location).toBeUndefined();
    expect(found?.rewritten).toBeUndefined();
  });

  it.each([
    ['a variable', 'mutation ($k: String!) { pay(amount: 1, idempotencyKey: $k) }', { variable: 'k' }],
    ['a string', 'mutation { pay(amount: 1, idempotencyKey: "one") }', { literal: 'one' }],
  ])('does not rewrite a document that passes the argument as %s', (_what, text, position) => {
    const found = keyed(text);
    expect(found?.location).toEqual(position);
    expect(found?.rewritten).toBeUndefined();
  });

  it.each([
    ['mutation P($amount: Int!) { p: pay(amount: $amount) @include(if: true) }', 'idempotencyKeyOfHeader', 'String!'],
    ['mutation { order(idempotencyKey: null, qty: 1) }', 'idempotencyKeyOfHeader', 'ID!'],
    ['mutation ($idempotencyKeyOfHeader: Int!) { pay(amount: $idempotencyKeyOfHeader) }', 'idempotencyKeyOfHeader_', 'String!'],
    ['query Q { a } mutation M { pay(amount: 1) }', 'idempotencyKeyOfHeader', 'String!'],
  ])('adds the argument to %s and returns a valid document', (text, variable, type) => {
    const found = keyed(text, text.startsWith('query') ? 'M' : undefined);
    expect(found?.location).toEqual({ variable });
    const { rewritten } = found ?? {};
    expect(rewritten).toContain(`$${variable}: ${type}`);
    expect(rewritten).toContain(`idempotencyKey: $${variable}`);
    expect(validate(schema, parse(rewritten ?? ''))).toEqual([]);
  });
});
