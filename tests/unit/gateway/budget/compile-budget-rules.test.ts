import { describe, expect, it } from '@jest/globals';
import { compileBudgetRules } from '../../../../gateway/budget/compile-budget-rules.ts';
import type { BudgetPolicy } from '../../../../gateway/budget/caller-budget.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { BudgetRule } from '../../../../gateway/config/sections/budget.ts';
import type { Principal } from '../../../../gateway/platform/principal.ts';
import type { RequestHeaders } from '../../../../gateway/platform/request-headers.ts';

const RATE = { capacity: 10, refillPerSecond: 1 };
const rule = (name: string, condition: Partial<BudgetRule>): BudgetRule => ({ name, ...condition, ...RATE });

const RULES = [
  rule('partners', { role: 'PARTNER' }),
  rule('reports', { apiKey: 'nightly' }),
  rule('gold', { claim: 'plan', value: 'gold' }),
  rule('level', { claim: 'level', value: 3 }),
  rule('kiosks', { client: 'Shop kiosk' }),
];

const named = (name: string): BudgetPolicy => ({
  ...RATE,
  setting: 'budget.signedIn',
  isEnforced: true,
  policyField: name,
  limitField: '',
});
const policyOf = compileBudgetRules(RULES, ({ name }) => named(name), named('default'));

const principal = (changed: Partial<Principal>): Principal => ({
  kind: 'user',
  id: '1',
  roles: new Set(),
  scopes: new Set(),
  claims: {},
  ...changed,
});

describe('the budget of a caller', () => {
  it.each<[string, Partial<Principal>, string]>([
    ['no property of a rule', {}, 'default'],
    ['another role', { roles: new Set(['partner']) }, 'default'],
    ['another value of the claim', { claims: { plan: 'silver' } }, 'default'],
    ['a claim of another type', { claims: { plan: { gold: true }, level: '3' } }, 'default'],
    ['an inherited property as claim', { claims: Object.create({ plan: 'gold' }) as Principal['claims'] }, 'default'],
    ['a subject that equals the id of a key', { id: 'nightly' }, 'default'],
    ['the role', { roles: new Set(['PARTNER']) }, 'partners'],
    ['the API key', { keyId: 'nightly' }, 'reports'],
    ['the claim', { claims: { plan: 'gold' } }, 'gold'],
    ['the claim in a list', { claims: { plan: ['silver', 'gold'] } }, 'gold'],
    ['a number as claim', { claims: { level: 3 } }, 'level'],
    ['properties of two rules', { claims: { plan: 'gold' }, roles: new Set(['PARTNER']) }, 'partners'],
  ])('with %s is that of %s', (_what, changed, name) => {
    expect(policyOf(principal(changed), {}).policyField).toBe(name);
  });

  it.each<[string, RequestHeaders, string]>([
    ['the client', { 'graphql-client-name': 'Shop kiosk' }, 'kiosks'],
    ['the client by its other header', { 'apollographql-client-name': 'Shop kiosk' }, 'kiosks'],
    ['another client', { 'graphql-client-name': 'shop kiosk' }, 'default'],
    ['an invalid name of a client', { 'graphql-client-name': 'Shop kiosk\u0000' }, 'default'],
  ])('with %s is that of %s', (_what, headers, name) => {
    expect(policyOf(principal({}), headers).policyField).toBe(name);
  });
});

describe('the setting budget.rules', () => {
  it.each<[string, Partial<BudgetRule>, string]>([
    ['no condition', {}, 'the rule "x" needs exactly one of role, apiKey, claim and client'],
    ['two conditions', { role: 'A', client: 'b' }, 'the rule "x" needs exactly one of role, apiKey, claim and client'],
    ['a claim without a value', { claim: 'plan' }, 'the rule "x" needs both claim and value, or neither'],
    ['a value without a claim', { role: 'A', value: 1 }, 'the rule "x" needs both claim and value, or neither'],
    ['a name that is not a token', { name: 'two words', role: 'A' }, 'expected a name of lower-case letters, digits and -'],
  ])('rejects %s', (_what, condition, message) => {
    expect(() => resolveGatewayConfig({ budget: { rules: [{ ...rule('x', {}), ...condition }] } })).toThrow(message);
  });
});
