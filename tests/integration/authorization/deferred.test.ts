import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorization/scoped-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { type ResponseLike, createOracle } from '../../fixtures/authorization/oracle.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { applyPatches } from '../../support/graphql/apply-patches.ts';
import { createRandom } from '../../support/random/random.ts';
import { sprinkleDefer } from '../../differential/sprinkle-defer.ts';
import { type AccessCase, accessCases } from './access-paths.ts';
import { queryInProcess, compare, leaksIn } from './run-matrix.ts';
import { ABSTRACT_CASES, SCOPED_REQUESTS, SCOPED_ROUTES } from './scoped-routes.ts';

const SEED = Number(process.env['AUTHORISATION_SEED'] ?? Date.now() % 1_000_000);
/** Share of all cases that the test runs. */
const SHARE = 0.2;

type Errors = NonNullable<ResponseLike['errors']>;

interface Patch {
  readonly path: readonly (string | number)[];
  readonly label?: string;
  readonly data: unknown;
  readonly errors?: Errors;
}

interface Part {
  readonly data?: unknown;
  readonly errors?: Errors;
  readonly incremental?: readonly Patch[];
}

describe('deferred fragments with guarded fields', () => {
  let graph: GuardedGraph;
  let gateway: Gateway;

  beforeAll(async () => {
    graph = buildScopedGraph();
    gateway = await startGuardedGateway(graph, SCOPED_CALLERS);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  async function requestInMultipart(text: string, variables: AccessCase['variables'], { principal }: Caller): Promise<readonly Part[]> {
    const signal = new AbortController().signal;
    const { body, incremental: later } = await gateway.execute({
      principal,
      document: { text },
      variables,
      transport: 'graphql',
      headers: {},
      correlationId: 'parts',
      acceptsIncremental: true,
      signal,
    });
    const parts = [JSON.parse(body) as Part];
    if (later === undefined) return parts;
    for (let { hasNext } = later; hasNext; ) {
      const next = await later.next();
      parts.push(JSON.parse(next.body) as Part);
      ({ hasNext } = next);
    }
    return parts;
  }

  /**
   * Whether every error points at a null value. A null that propagates stops at the boundary of its payload, so other responses cannot be
   * compared.
   */
  function isInPosition({ data, errors = [] }: ResponseLike): boolean {
    return errors.every(({ path = [] }) => {
      let value = data;
      for (const key of path) {
        if (typeof value !== 'object' || value === null) return false;
        value = (value as Readonly<Record<string | number, unknown>>)[key];
      }
      return value === null;
    });
  }

  it('have in all payloads together what each caller may see, and nothing else', async () => {
    console.info(`AUTHORISATION_SEED=${SEED}`);
    const random = createRandom(SEED);
    const oracle = createOracle(graph.monolith, graph.policy);
    const request = queryInProcess(gateway);
    const cases = [...accessCases(graph, SCOPED_ROUTES, SCOPED_REQUESTS), ...ABSTRACT_CASES].filter(
      ({ text }) => !text.includes('@defer') && random.chance(SHARE),
    );
    let compared = 0;
    const mismatches: unknown[] = [];
    // Callers run the same case one after another, so that each finds what was prepared for another.
    for (const { text, variables } of cases) {
      for (const caller of SCOPED_CALLERS) {
        const expected = await oracle(text, variables, caller);
        const deferred = sprinkleDefer(text, random);
        const parts = await requestInMultipart(deferred, variables, caller);
        const [first, ...later] = parts;
        const patches = later.flatMap(({ incremental = [] }) => incremental);
        // A field that occurs in two payloads has an error in each of them.
        const reported = [...(first?.errors ?? []), ...patches.flatMap((patch) => patch.errors ?? [])];
        const errors = [...new Map(reported.map((error) => [JSON.stringify(error.path), error])).values()];
        if (!isInPosition(await request({ text, variables }, caller))) continue;
        compared += 1;
        const merged = applyPatches({ data: first?.data, errors: [], parts: [patches] } as never, errors.length > 0);
        const data = JSON.parse(JSON.stringify(merged)) as unknown;
        const problems = [
          ...compare({ data, errors, text: JSON.stringify({ data }) }, expected),
          ...leaksIn(JSON.stringify(parts), expected),
        ];
        if (problems.length > 0) mismatches.push({ caller: caller.name, deferred, problems });
      }
    }
    expect(mismatches.slice(0, 5)).toEqual([]);
    expect(compared).toBeGreaterThan(cases.length);
  }, 120_000);
});
