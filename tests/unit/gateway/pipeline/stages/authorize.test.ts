import { describe, expect, it } from '@jest/globals';
import type { OperationAuthorisation } from '../../../../../gateway/authorisation/operation-authorisation.ts';
import { createAccessDecider, type PoliciesHook } from '../../../../../gateway/pipeline/stages/authorize.ts';
import type { OperationRequest } from '../../../../../gateway/pipeline/operation-request.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../../gateway/platform/principal.ts';

/** Shows what was decided about the policies `a` and `b`. */
const RULES: Pick<OperationAuthorisation, 'policies' | 'decide'> = {
  policies: ['a', 'b'],
  decide: (_principal, policies) => JSON.stringify([...(policies ?? [])].map(([name, answer]) => [name, answer ?? null])),
};

const OPTIONS = { policyTimeoutMs: 1_000, logger: silentLogger };

const REQUEST = { principal: ANONYMOUS } as OperationRequest;

const decided = (policies: PoliciesHook, policyTimeoutMs = 10_000) =>
  createAccessDecider({ policies, policyTimeoutMs, logger: silentLogger })(RULES, REQUEST);

describe('a hook that decides policies', () => {
  it('given one that throws, when asked, then nothing is decided, and the log says why', async () => {
    const told: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: unknown) => void told.push(facts) };
    const policies = () => {
      throw new Error('The store is away.');
    };
    expect(await createAccessDecider({ policies, policyTimeoutMs: 1_000, logger })(RULES, REQUEST)).toBe('[["a",null],["b",null]]');
    expect(told).toMatchObject([{ policies: ['a', 'b'], err: { message: 'The store is away.' } }]);
  });

  it('given one that never answers, when its time is over, then nothing is decided', async () => {
    expect(await decided(() => new Promise(() => {}), 1)).toBe('[["a",null],["b",null]]');
  });

  it.each([true, 'a', 7, undefined, null])('given one that answers %p, when asked, then nothing is decided', async (answer) => {
    expect(await decided(() => answer as never)).toBe('[["a",null],["b",null]]');
  });

  it.each([
    ['names', ['a']],
    ['a set of names, and others', new Set(['a', 'c'])],
    ['an object', { a: true, b: false }],
    ['an object that says nothing of one', { a: true }],
    ['an object with something else than true', { a: true, b: 'yes' as never }],
  ])('given one that answers with %s, when asked, then what it names is fulfilled and nothing else', async (_what, answer) => {
    expect(await decided(() => answer)).toBe('[["a",true],["b",false]]');
    expect(await decided(async () => answer)).toBe('[["a",true],["b",false]]');
  });

  it('given none, or an operation without policies, when decided, then nobody is asked and nothing is waited for', () => {
    expect(createAccessDecider({ ...OPTIONS, policies: undefined })(RULES, REQUEST)).toBe('[]');
    const policies = () => {
      throw new Error('Asked.');
    };
    expect(createAccessDecider({ ...OPTIONS, policies })({ ...RULES, policies: [] }, REQUEST)).toBe('[]');
  });
});
