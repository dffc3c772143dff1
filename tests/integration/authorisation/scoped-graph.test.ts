import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorisation/guarded-graph.ts';
import { createOracle } from '../../fixtures/authorisation/oracle.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorisation/scoped-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorisation/start-guarded-gateway.ts';
import { accessCases } from './access-paths.ts';
import { coverPairs } from './cover-pairs.ts';
import { askInProcess, runMatrix } from './run-matrix.ts';
import { ABSTRACT_CASES, SCOPED_ASKS, SCOPED_ROUTES } from './scoped-routes.ts';

/** Each pair of coordinate, form and route; all combinations: `npm run prove access-paths`. */
describe('a graph with every directive of authorisation before subgraphs that guard nothing', () => {
  let graph: GuardedGraph;
  let gateway: Gateway;

  beforeAll(async () => {
    graph = buildScopedGraph();
    gateway = await startGuardedGateway(graph, SCOPED_CALLERS);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  it('given every protected coordinate by every way to it, when five callers ask, then each sees what the policy grants and nothing else', async () => {
    const cases = [...coverPairs(accessCases(graph, SCOPED_ROUTES, SCOPED_ASKS, true)), ...ABSTRACT_CASES];
    const oracle = createOracle(graph.monolith, graph.policy);
    const { mismatches, ...report } = await runMatrix({ graph, oracle, ask: askInProcess(gateway), cases, callers: SCOPED_CALLERS });
    expect(mismatches).toEqual([]);
    expect(report.cases).toBeGreaterThan(3_500);
    expect(report.withheld).toBeGreaterThan(report.cases / 4);
  }, 120_000);
});
