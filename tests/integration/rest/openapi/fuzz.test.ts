import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { fuzzDescription } from './fuzz-description.ts';

/** A part of the cases that `npm run prove openapi-fuzz` tries. */
const CASES = Number(process.env['OPENAPI_FUZZ_CASES'] ?? 300);
const seed = Number(process.env['OPENAPI_FUZZ_SEED'] ?? Date.now() % 2_147_483_647);

describeOnStack('calls that are generated from the OpenAPI description', (stack) => {
  it(`${CASES} valid and invalid calls return described responses (OPENAPI_FUZZ_SEED=${seed})`, async () => {
    const [one, another] = [await stack.newUser(), await stack.newUser()];
    const { developmentKey, identitySecret, internalUrl } = stack;
    const { statuses, failures } = await fuzzDescription({
      origin: stack.url,
      secrets: [developmentKey, identitySecret, `:${new URL(internalUrl).port}`],
      tokens: { one: one.token, another: another.token, admin: stack.tokens.admin },
      // All tests share the initial data of the stack, so callers that may change it only read here.
      callersOf: (method) => (method === 'get' ? ['nobody', 'one', 'another', 'admin'] : ['nobody', 'one', 'another']),
      seed,
      cases: CASES,
    });
    expect(failures).toEqual([]);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(CASES);
  }, 120_000);
});
