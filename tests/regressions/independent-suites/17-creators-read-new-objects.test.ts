import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { caller, guardedGraph, load } from '../../support/gateway/guarded.ts';

const USERS = (grant: string, more = '') => `
  type Query { user(id: ID!): User node: Named }
  type Mutation {
    createUser(name: String!): CreateUserPayload! ${grant}
    updateUser(id: ID!): CreateUserPayload!
    importUser: CreateUserPayload!
  }
  type CreateUserPayload { user: User report: Report }
  interface Named { name: String }
  type Report { user: User }
  type User implements Named @key(fields: "id") {
    id: ID!
    name: String
    email: String @auth(requires: ADMIN, orOwner: "id")
    age: Int @auth(requires: ADMIN, orOwner: "id")
    friend: User
    ${more}
  }
`;
const ORDERS = `
  type User @key(fields: "id") {
    id: ID!
    total: Int @auth(requires: ADMIN, orOwner: "id")
    orders: [Order!] @auth(requires: ADMIN, orOwner: "id")
  }
  type Order { id: ID! }
`;
const GRANT = '@creatorMayRead(fields: "user { email }")';

describe('point 17: fields that callers of a mutation may read of the object it creates', () => {
  const operation = guardedGraph(USERS(GRANT), ORDERS);

  it.each([
    ['a field', '{ createUser(name: "A") { user { id email } } }'],
    ['aliases', '{ a: createUser(name: "A") { b: user { c: email } } }'],
    [
      'inline fragments',
      '{ createUser(name: "A") { ... on CreateUserPayload { user { ... { ... on Named { ... on User { email } } } } } } }',
    ],
  ])('are the fields that the grant names, selected by %s', (_path, selection) => {
    const { authorization, plannedFor } = operation(`mutation ${selection}`);
    expect(authorization).toBeUndefined();
    expect(plannedFor(ANONYMOUS)).toBe(`mutation ${selection}`);
  });

  it('are the fields that the grant names, for signed-in callers too', () => {
    const text = 'mutation { createUser(name: "A") { user { email } } }';
    expect(operation(text).plannedFor(caller('7'))).toBe(text);
  });

  it.each([
    ['a field that the grant does not name', 'createUser(name: "A") { user { age } }'],
    ['a field with the alias of the granted one', 'createUser(name: "A") { user { email: age } }'],
    ['an object of another subgraph', 'createUser(name: "A") { user { orders { id } } }'],
    ['another object reached from the new one', 'createUser(name: "A") { user { friend { email } } }'],
    ['the same type elsewhere in the payload', 'createUser(name: "A") { report { user { email } } }'],
    ['the same payload of another mutation', 'updateUser(id: 1) { user { email } }'],
    ['another mutation with the name of the granted one as alias', 'createUser: updateUser(id: 1) { user { email } }'],
  ])('do not include %s', (_case, selection) => {
    const planned = operation(`mutation { ${selection} }`).plannedFor(ANONYMOUS);
    expect(planned).toContain('__typename');
    expect(planned).not.toMatch(/email|age|orders/);
  });

  it.each([
    'createUser(name: "A") { user { ...F } } updateUser(id: 1) { user { ...F } }',
    'updateUser(id: 1) { user { ...F } } createUser(name: "A") { user { ...F } }',
  ])('are not extended by a fragment that is used inside and outside of the grant: %s', (selection) => {
    const planned = operation(`mutation { ${selection} } fragment F on User { id email friend { email } }`).plannedFor(ANONYMOUS);
    expect(planned.match(/email/g)).toHaveLength(1);
    const [, name = ''] = /fragment (\w+) on User \{ id email/.exec(planned) ?? [];
    expect(planned).toContain(`createUser(name: "A") { user { ...${name} } }`);
    expect(planned).not.toContain(`updateUser(id: 1) { user { ...${name} } }`);
  });

  it('follow the rules of queries, and the owner check of other objects', () => {
    expect(operation('{ user(id: 1) { email } }').plannedFor(ANONYMOUS)).not.toContain('email');
    const planned = operation('mutation { createUser(name: "A") { user { email friend { email } } } }').plannedFor(caller('7'));
    expect(planned).toContain('createUser(name: "A") { user { email friend { email __owner_id: id } } }');
  });

  it('are exempt from owner rules only', () => {
    const other = '@creatorMayRead(fields: "user { secret }")';
    const both = guardedGraph(USERS(other, 'secret: String @auth(requires: ADMIN, orOwner: "id") @requiresScopes(scopes: [["read"]])'));
    const text = 'mutation { createUser(name: "A") { user { secret } } }';
    expect(both(text).plannedFor(ANONYMOUS)).not.toContain('secret');
    expect(both(text).plannedFor(caller('7', { scopes: ['read'] }))).toBe(text);
  });

  it.each([
    ['user { name }', 'User.name has no rule with `orOwner`'],
    ['user { missing }', 'User.missing does not exist'],
    ['user', 'CreateUserPayload.user is an object instead of a leaf'],
    ['user { orders }', 'User.orders is an object instead of a leaf'],
    ['user { total }', 'the subgraph of the mutation does not resolve User.total'],
    ['user { mail: email }', 'it contains fragments, aliases or arguments'],
    ['user { ... on User { email } }', 'it contains fragments, aliases or arguments'],
    ['user { email', 'is not a valid selection'],
    ['user } query {', 'is not a valid selection'],
  ])('rejects the grant "%s" at startup', (fields, reason) => {
    expect(() => load(USERS(`@creatorMayRead(fields: "${fields}")`), ORDERS)).toThrow(reason);
  });

  it('rejects a grant that is not on a field of the mutation type', () => {
    const elsewhere = USERS('').replace('user: User report', 'user: User @creatorMayRead(fields: "email") report');
    expect(() => load(elsewhere)).toThrow(
      '@creatorMayRead of CreateUserPayload.user cannot be granted: it is not a field of the mutation type',
    );
  });
});
