import type { BudgetRule } from '../config/sections/budget.ts';
import type { Principal } from '../platform/principal.ts';
import type { BudgetPolicy } from './caller-budget.ts';

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
): (principal: Principal) => BudgetPolicy {
  if (rules.length === 0) return () => byDefault;
  const compiled = rules.map((rule, index) => ({ matches: compileCondition(rule), policy: toPolicy(rule, index) }));
  return (principal) => {
    for (const { matches, policy } of compiled) if (matches(principal)) return policy;
    return byDefault;
  };
}

function compileCondition({ role, apiKey, claim = '', value }: BudgetRule): (principal: Principal) => boolean {
  if (role !== undefined) return ({ roles }) => roles.has(role);
  if (apiKey !== undefined) return ({ keyId }) => keyId === apiKey;
  return ({ claims }) => {
    const actual = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(actual) ? actual.includes(value) : actual === value;
  };
}
