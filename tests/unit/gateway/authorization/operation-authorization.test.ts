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

describe('planned operations', () => {
  it.each([
    ['no guarded fields', '{ open user(id: 1) { name } }'],
    ['only `__typename`', '{ __typename }'],
  ])('need no decision with %s', (_what, text) => {
    expect(operationOf(text).authorization).toBeUndefined();
  });

  it.each([
    ['one of two fields', '{ open closed }', '{ open }'],
    ['the only field', '{ closed }', '{ __typename }'],
    ['all fields of an object', '{ user { email } }', '{ user { __typename } }'],
    ['an alias', '{ open x: closed }', '{ open }'],
    ['a field in a fragment', '{ open ...F } fragment F on Query { closed }', '{ open ...F } fragment F on Query { __typename }'],
    ['a field with a fragment inside', '{ open order { ...F } } fragment F on Order { total }', '{ open }'],
    [
      'a field next to a conditional field',
      'query ($x: Boolean!) { open @include(if: $x) closed }',
      'query ($x: Boolean!) { open @include(if: $x) __typename }',
    ],
    [
      'a field with a variable',
      'query ($x: Int, $y: ID) { scoped(x: $x) user(id: $y) { name } }',
      'query ($y: ID) { user(id: $y) { name } }',
    ],
    ['a list of a union with a guarded type', '{ open search { ... on User { name } } }', '{ open }'],
    ['a field of an interface with a guarded implementation', '{ open node { id } }', '{ open }'],
    ['a mutation', 'mutation { close rename(id: 1) { name } }', 'mutation { rename(id: 1) { name } }'],
    ['a field with an undecided policy', '{ user { name paid } }', '{ user { name } }'],
  ])('exclude denied fields for anonymous callers: %s', (_what, text, planned) => {
    expect(operationOf(text).plannedFor(ANONYMOUS)).toBe(planned);
  });

  it('exclude a fragment only at positions where a guarded type is possible', () => {
    const text = '{ user { ...F } node { ...F } } fragment F on Node { note }';
    expect(operationOf(text).plannedFor(ANONYMOUS)).toBe('{ user { ...F } } fragment F on Node { note }');
  });

  it('include the owner field in addition to fields that its owner may read', () => {
    expect(operationOf('{ user { id: name email } order { total } }').plannedFor(caller('1'))).toBe(
      '{ user { id: name email __owner_id: id } order { total __owner_userId: userId } }',
    );
  });

  it('do not change for a caller with all permissions', () => {
    const { authorization, plannedFor } = operationOf('{ user { email } order { total } search { __typename } }');
    expect(authorization?.decide(ADMIN)).toBe('');
    expect(plannedFor(ADMIN)).toBe('{ user { email } order { total } search { __typename } }');
  });
});

describe('authorization keys', () => {
  it('are shared exactly by callers who may see the same fields', () => {
    const { authorization } = operationOf('{ user { email } scoped }');
    const keyOf = (...given: Parameters<typeof caller>) => authorization?.decide(caller(...given));
    expect(keyOf('1')).toBe(keyOf('2', { roles: ['OTHER'], scopes: ['t'] }));
    const keys = [keyOf('1'), keyOf('1', { scopes: ['s'] }), keyOf('1', { roles: ['ADMIN'] }), authorization?.decide(ANONYMOUS)];
    expect(new Set(keys).size).toBe(4);
  });

  it('differ for a policy that is granted, denied or undecided', () => {
    const { authorization } = operationOf('{ user { paid } }');
    expect(authorization?.policies).toEqual(['paid']);
    const keyOf = (response: boolean | undefined) => authorization?.decide(ANONYMOUS, new Map([['paid', response]]));
    expect([keyOf(true), keyOf(false), keyOf(undefined), authorization?.decide(ANONYMOUS)]).toEqual(['', '0', '2', '0']);
  });

  it('are those of an anonymous caller for a caller without an id', () => {
    const { authorization } = operationOf('{ user { email } }');
    expect(authorization?.decide(caller(''))).toBe(authorization?.decide(ANONYMOUS));
  });

  it('are found again after recompilation, where new fields are denied', () => {
    const [one, other] = [operationOf('{ scoped closed }').authorization, operationOf('{ closed order { id } scoped }').authorization];
    const described = one?.describe(one.decide(caller('1'))) ?? {};
    expect(one?.keyOf(described)).toBe(one?.decide(caller('1')));
    expect(other?.keyOf(described)).toBe('100');
  });
});
