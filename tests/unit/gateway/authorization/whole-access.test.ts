import { describe, expect, it } from '@jest/globals';
import { compileWholeAccess, compileWholeGrant } from '../../../../gateway/authorization/operation-authorization.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { caller, guardedGraph } from '../../../support/gateway/guarded.ts';

const operationOf = guardedGraph(`
  type Query { open: Int closed: Int @authenticated user(id: ID): User }
  type User { id: ID! email: String @auth(requires: ADMIN, orOwner: "id") paid: Int @policy(policies: [["paid"]]) }
`);

const CALLERS = { anonymous: ANONYMOUS, user: caller('1'), admin: caller('9', { roles: ['ADMIN'] }) };
const decide = <T>(rule: ((principal: typeof ANONYMOUS) => T) | undefined) =>
  Object.values(CALLERS).map((principal) => (rule === undefined ? 'not known' : rule(principal)));

describe('access that is known before execution', () => {
  it.each([
    ['no guarded field', '{ open }', 'not known', 'not known', [true, true, true]],
    ['a field for authenticated callers', '{ open closed }', 'UNAUTHENTICATED', undefined, [false, true, true]],
    ['a field for owners and a role', '{ user(id: 1) { email } }', 'UNAUTHENTICATED', undefined, [false, false, true]],
    ['a field with a policy', '{ closed user(id: 1) { paid } }', 'not known', 'not known', [false, false, false]],
  ])('classifies callers as denied or certainly granted, for an operation with %s', (_what, text, ...expected) => {
    const [ofAnonymous, ofUser, granted] = expected;
    const { authorization } = operationOf(text);
    expect(decide(compileWholeAccess(authorization))).toEqual([ofAnonymous, ofUser, ofUser]);
    expect(decide(compileWholeGrant(authorization))).toEqual(granted);
  });
});
