import type { BudgetRule } from '../config/sections/budget.ts';
import { readClientName } from '../platform/client-name.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { BudgetPolicy } from './caller-budget.ts';

type Condition = (principal: Principal, headers: RequestHeaders) => boolean;

/**
 * Compiles rules to a function that returns the policy of an authenticated caller: that of the first rule that matches, or the default. A
 * caller without the claim of a rule, or with a value of another type, does not match it.
 *
 * @param toPolicy compiles the policy of one rule
 */
export function compileBudgetRules(
  rules: readonly BudgetRule[],
  toPolicy: (rule: BudgetRule, index: number) => BudgetPolicy,
  byDefault: BudgetPolicy,
): (principal: Principal, headers: RequestHeaders) => BudgetPolicy {
  if (rules.length === 0) return () => byDefault;
  const compiled = rules.map((rule, index) => ({ matches: compileCondition(rule), policy: toPolicy(rule, index) }));
  return (principal, headers) => {
    for (const { matches, policy } of compiled) if (matches(principal, headers)) return policy;
    return byDefault;
  };
}

function compileCondition({ role, apiKey, client, claim = '', value }: BudgetRule): Condition {
  if (role !== undefined) return ({ roles }) => roles.has(role);
  if (apiKey !== undefined) return ({ keyId }) => keyId === apiKey;
  if (client !== undefined) return (_principal, headers) => readClientName(headers)?.name === client;
  return ({ claims }) => {
    const actual = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(actual) ? actual.includes(value) : actual === value;
  };
}
