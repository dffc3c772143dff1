/**
 * Sends valid and invalid calls, generated from the REST description, to a separate stack. Each response must match the description.
 *
 * Duration: about 7 minutes
 *
 * `OPENAPI_FUZZ_CASES` (5,000): number of calls. `OPENAPI_FUZZ_SEED`: seed of the first call. The default comes from the clock.
 */
import { startReferenceStack } from '../support/stack/reference-stack.ts';
import { signToken } from '../support/identity/tokens.ts';
import { fuzzDescription } from '../integration/rest/openapi/fuzz-description.ts';

const seed = Number(process.env['OPENAPI_FUZZ_SEED'] ?? Date.now() % 2_147_483_647);
const cases = Number(process.env['OPENAPI_FUZZ_CASES'] ?? 5_000);

await using stack = await startReferenceStack('pglite');
const { url, internalUrl, subgraphUrls, developmentKey, identitySecret } = stack;
const token = (sub: string, roles: readonly string[] = []) => signToken({ sub, roles: [...roles] }, { key: developmentKey });
const tokens = { user1: token('1'), user2: token('2'), admin: token('200', ['ADMIN']) };
const ports = [internalUrl, ...Object.values(subgraphUrls)].map((at) => `:${new URL(at).port}`);

console.log(`OPENAPI_FUZZ_SEED=${seed} OPENAPI_FUZZ_CASES=${cases}`);
const startedAt = performance.now();
const { statuses, successes, failures } = await fuzzDescription({
  origin: url,
  secrets: [...ports, developmentKey, identitySecret],
  tokens,
  callersOf: () => ['nobody', ...Object.keys(tokens)],
  seed,
  cases,
});
const never = [...successes].filter(([, count]) => count === 0).map(([operationId]) => operationId);
console.log(
  [
    `${cases} calls in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, ${failures.length} with an undocumented response.`,
    `  ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    `  operations that never succeeded: ${never.join(', ') || 'none'}`,
    ...failures.slice(0, 20).map((failure) => `  ${failure}`),
  ].join('\n'),
);
if (failures.length > 0) process.exitCode = 1;
