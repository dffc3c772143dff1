import { describe, expect, it } from '@jest/globals';
import { compileWholeAccess, compileWholeGrant } from '../../../../gateway/authorisation/operation-authorisation.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { caller, guardedGraph } from '../../../support/gateway/guarded.ts';

const operationOf = guardedGraph(`
  type Query { open: Int closed: Int @authenticated user(id: ID): User }
  type User { id: ID! email: String @auth(requires: ADMIN, orOwner: "id") paid: Int @policy(policies: [["paid"]]) }
`);

const CALLERS = { nobody: ANONYMOUS, user: caller('1'), admin: caller('9', { roles: ['ADMIN'] }) };
const decide = <T>(rule: ((principal: typeof ANONYMOUS) => T) | undefined) =>
  Object.values(CALLERS).map((principal) => (rule === undefined ? 'not known' : rule(principal)));

describe('what is known of rights before an operation is run', () => {
  it.each([
    ['nothing that is guarded', '{ open }', 'not known', 'not known', [true, true, true]],
    ['what everybody known may see', '{ open closed }', 'UNAUTHENTICATED', undefined, [false, true, true]],
    ['what owners may see too', '{ user(id: 1) { email } }', 'UNAUTHENTICATED', undefined, [false, false, true]],
    ['what a policy decides on', '{ closed user(id: 1) { paid } }', 'not known', 'not known', [false, false, false]],
  ])(
    'given an operation with %s, when decided, then denied is who may not, and granted is who certainly may',
    (_what, text, ...expected) => {
      const [ofNobody, ofUser, granted] = expected;
      const { authorisation } = operationOf(text);
      expect(decide(compileWholeAccess(authorisation))).toEqual([ofNobody, ofUser, ofUser]);
      expect(decide(compileWholeGrant(authorisation))).toEqual(granted);
    },
  );
});
