import { describe, expect, it } from '@jest/globals';
import type { OperationAuthorization } from '../../../../../gateway/authorization/operation-authorization.ts';
import { createAccessDecider, type PoliciesHook } from '../../../../../gateway/pipeline/stages/authorize.ts';
import type { OperationRequest } from '../../../../../gateway/pipeline/operation-request.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';

/** Encodes the decisions on the policies `a` and `b`. */
const RULES: Pick<OperationAuthorization, 'policies' | 'decide'> = {
  policies: ['a', 'b'],
  decide: (_principal, policies) => JSON.stringify([...(policies ?? [])].map(([name, response]) => [name, response ?? null])),
};

const OPTIONS = { policyTimeoutMs: 1_000, logger: silentLogger };

const REQUEST = { principal: ANONYMOUS } as OperationRequest;

const decided = (policies: PoliciesHook, policyTimeoutMs = 10_000) =>
  createAccessDecider({ policies, policyTimeoutMs, logger: silentLogger })(RULES, REQUEST);

describe('the `policies` hook', () => {
  it('decides nothing and logs the error when the hook throws', async () => {
    const reported: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: unknown) => void reported.push(facts) };
    const policies = () => {
      throw new Error('The policy store is unavailable.');
    };
    expect(await createAccessDecider({ policies, policyTimeoutMs: 1_000, logger })(RULES, REQUEST)).toBe('[["a",null],["b",null]]');
    expect(reported).toMatchObject([{ policies: ['a', 'b'], err: { message: 'The policy store is unavailable.' } }]);
  });

  it('decides nothing when the hook does not return before its timeout', async () => {
    expect(await decided(() => new Promise(() => {}), 1)).toBe('[["a",null],["b",null]]');
  });

  it.each([true, 'a', 7, undefined, null])('decides nothing when the hook returns %p', async (response) => {
    expect(await decided(() => response as never)).toBe('[["a",null],["b",null]]');
  });

  it.each([
    ['a list of names', ['a']],
    ['a set of known and unknown names', new Set(['a', 'c'])],
    ['an object', { a: true, b: false }],
    ['an object that omits one', { a: true }],
    ['an object with a value other than true', { a: true, b: 'yes' as never }],
  ])('grants exactly the policies that the hook returns in %s', async (_what, response) => {
    expect(await decided(() => response)).toBe('[["a",true],["b",false]]');
    expect(await decided(async () => response)).toBe('[["a",true],["b",false]]');
  });

  it('decides synchronously without a hook or without policies', () => {
    expect(createAccessDecider({ ...OPTIONS, policies: undefined })(RULES, REQUEST)).toBe('[]');
    const policies = () => {
      throw new Error('The hook was called.');
    };
    expect(createAccessDecider({ ...OPTIONS, policies })({ ...RULES, policies: [] }, REQUEST)).toBe('[]');
  });
});
