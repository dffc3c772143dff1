import { describe, expect, it } from '@jest/globals';
import { compileEntityAccess } from '../../../../gateway/authorization/entity-access.ts';
import { compileRules } from '../../../../gateway/authorization/compile-rules.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { loadGuarded } from '../../../support/gateway/guarded.ts';

const LOADED = loadGuarded(`
  type Query { order: Order } type Mutation { createOrder: Order @creatorMayRead(fields: "total") }
  type Order @auth(requires: USER) {
    id: ID userId: ID
    total: Int @auth(requires: ADMIN, orOwner: "userId")
    shipment: Int @auth(requires: ADMIN, orOwner: "userId")
    audit: Int @auth(requires: ADMIN)
    open: Int
  }`);
const RULES = compileRules(LOADED.graph, LOADED.authorization, LOADED.creatorGrants);

const caller = (id: string, roles: readonly string[] = []): Principal => ({ ...ANONYMOUS, kind: 'user', id, roles: new Set(roles) });

describe('access to a field of an entity, from its representation', () => {
  const codeOf = (denies: 'owners' | 'all', principal: Principal, name: string, representation: NonNullable<Case['representation']>) => {
    if (RULES === undefined) throw new Error('The supergraph has rules.');
    return compileEntityAccess(RULES, LOADED.creatorGrants, denies)(principal, { type: 'Order', name }, representation)?.code;
  };

  interface Case {
    readonly given: string;
    readonly principal: Principal;
    readonly name?: string;
    readonly representation?: Readonly<Record<string, unknown>>;
    /** Codes if only what belongs to another owner is denied, and if everything that is not certainly permitted is denied. */
    readonly codes: readonly [string | undefined, string | undefined];
  }

  it.each<Case>([
    { given: 'another owner', principal: caller('2'), codes: ['FORBIDDEN', 'FORBIDDEN'] },
    { given: 'a null owner', principal: caller('2'), representation: { userId: null }, codes: ['FORBIDDEN', 'FORBIDDEN'] },
    {
      given: 'an inherited owner',
      principal: caller('2'),
      representation: Object.create({ userId: '2' }),
      codes: [undefined, 'FORBIDDEN'],
    },
    { given: 'an unknown owner', principal: caller('2'), representation: { id: '9' }, codes: [undefined, 'FORBIDDEN'] },
    { given: 'a role that the caller lacks', principal: caller('1'), name: 'audit', codes: [undefined, 'FORBIDDEN'] },
    { given: 'an anonymous caller', principal: ANONYMOUS, representation: { userId: '' }, codes: [undefined, 'UNAUTHENTICATED'] },
    { given: 'the rule of the type', principal: ANONYMOUS, name: 'open', codes: [undefined, 'UNAUTHENTICATED'] },
    { given: 'a field that a creator may read', principal: caller('2'), name: 'total', codes: [undefined, 'FORBIDDEN'] },
    { given: 'the owner', principal: caller('1'), codes: [undefined, undefined] },
    { given: 'an owner with a numeric id', principal: caller('1'), representation: { userId: 1 }, codes: [undefined, undefined] },
    { given: 'the role', principal: caller('2', ['ADMIN']), codes: [undefined, undefined] },
  ])('given $given, denies what is known, or everything that is unknown', (one) => {
    const { principal, name = 'shipment', representation = { userId: '1' }, codes } = one;
    expect([codeOf('owners', principal, name, representation), codeOf('all', principal, name, representation)]).toEqual(codes);
  });
});
