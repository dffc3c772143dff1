import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { caller, guardedGraph } from '../../../support/gateway/guarded.ts';

const operationOf = guardedGraph(`
  type Query { open: Int user(id: ID): User users: [User!]! search: [Result!]! node: Node order: Order closed: Int @authenticated scoped(x: Int): Int @requiresScopes(scopes: [["s"]]) }
  type Mutation { rename(id: ID!): User close: Int @auth(requires: SUPPORT) }
  interface Node { id: ID! note: String }
  union Result = User | Secret
  type User implements Node { id: ID! name: String note: String email: String @auth(requires: ADMIN, orOwner: "id") friend: User paid: Int @policy(policies: [["paid"]]) }
  type Secret implements Node @auth(requires: ADMIN) { id: ID! note: String }
  type Order @auth(requires: ADMIN, orOwner: "userId") { id: ID! userId: ID! total: Float }
`);

const ADMIN = caller('9', { roles: ['ADMIN'] });

describe('what is planned', () => {
  it.each([
    ['nothing that is guarded', '{ open user(id: 1) { name } }'],
    ['what may not be seen, under its own name only', '{ __typename }'],
  ])('given an operation with %s, when compiled, then there is nothing to be decided', (_what, text) => {
    expect(operationOf(text).authorisation).toBeUndefined();
  });

  it.each([
    ['a field', '{ open closed }', '{ open }'],
    ['the only field', '{ closed }', '{ __typename }'],
    ['all of an object', '{ user { email } }', '{ user { __typename } }'],
    ['an alias', '{ open x: closed }', '{ open }'],
    ['in a fragment', '{ open ...F } fragment F on Query { closed }', '{ open ...F } fragment F on Query { __typename }'],
    ['with the fragments inside of it', '{ open order { ...F } } fragment F on Order { total }', '{ open }'],
    [
      'beside what may be left out',
      'query ($x: Boolean!) { open @include(if: $x) closed }',
      'query ($x: Boolean!) { open @include(if: $x) __typename }',
    ],
    ['with its variables', 'query ($x: Int, $y: ID) { scoped(x: $x) user(id: $y) { name } }', 'query ($y: ID) { user(id: $y) { name } }'],
    ['a list of what may be secret', '{ open search { ... on User { name } } }', '{ open }'],
    ['a field of an interface that some guard', '{ open node { id } }', '{ open }'],
    ['a mutation', 'mutation { close rename(id: 1) { name } }', 'mutation { rename(id: 1) { name } }'],
    ['a policy that nobody decides', '{ user { name paid } }', '{ user { name } }'],
  ])('given nobody, when %s is denied, then no subgraph hears of it', (_what, text, planned) => {
    expect(operationOf(text).plannedFor(ANONYMOUS)).toBe(planned);
  });

  it('given a fragment in places of different types, when one of them is guarded, then the other keeps its fields', () => {
    const text = '{ user { ...F } node { ...F } } fragment F on Node { note }';
    expect(operationOf(text).plannedFor(ANONYMOUS)).toBe('{ user { ...F } } fragment F on Node { note }');
  });

  it('given an owner, when fields of their own are asked for, then what tells the owner is asked for as well', () => {
    expect(operationOf('{ user { id: name email } order { total } }').plannedFor(caller('1'))).toBe(
      '{ user { id: name email __owner_id: id } order { total __owner_userId: userId } }',
    );
  });

  it('given those who may see all, when decided, then nothing is changed', () => {
    const { authorisation, plannedFor } = operationOf('{ user { email } order { total } search { __typename } }');
    expect(authorisation?.decide(ADMIN)).toBe('');
    expect(plannedFor(ADMIN)).toBe('{ user { email } order { total } search { __typename } }');
  });
});

describe('what is decided', () => {
  it('given callers with different rights, when they may see the same, then they share a key, and else they do not', () => {
    const { authorisation } = operationOf('{ user { email } scoped }');
    const keyOf = (...given: Parameters<typeof caller>) => authorisation?.decide(caller(...given));
    expect(keyOf('1')).toBe(keyOf('2', { roles: ['OTHER'], scopes: ['t'] }));
    const keys = [keyOf('1'), keyOf('1', { scopes: ['s'] }), keyOf('1', { roles: ['ADMIN'] }), authorisation?.decide(ANONYMOUS)];
    expect(new Set(keys).size).toBe(4);
  });

  it('given a policy, when it is fulfilled, not fulfilled or not decided, then these are three keys', () => {
    const { authorisation } = operationOf('{ user { paid } }');
    expect(authorisation?.policies).toEqual(['paid']);
    const keyOf = (answer: boolean | undefined) => authorisation?.decide(ANONYMOUS, new Map([['paid', answer]]));
    expect([keyOf(true), keyOf(false), keyOf(undefined), authorisation?.decide(ANONYMOUS)]).toEqual(['', '0', '2', '0']);
  });

  it('given a caller without a name, when owners may see something, then they are nobody', () => {
    const { authorisation } = operationOf('{ user { email } }');
    expect(authorisation?.decide(caller(''))).toBe(authorisation?.decide(ANONYMOUS));
  });

  it('given a key that was described, when the operation is compiled anew, then it is found again, and what is new is denied', () => {
    const [one, other] = [operationOf('{ scoped closed }').authorisation, operationOf('{ closed order { id } scoped }').authorisation];
    const described = one?.describe(one.decide(caller('1'))) ?? {};
    expect(one?.keyOf(described)).toBe(one?.decide(caller('1')));
    expect(other?.keyOf(described)).toBe('100');
  });
});
