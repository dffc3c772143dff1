import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { createOracle } from '../../fixtures/authorization/oracle.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorization/scoped-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { accessCases } from './access-paths.ts';
import { coverPairs } from './cover-pairs.ts';
import { queryInProcess, runMatrix } from './run-matrix.ts';
import { ABSTRACT_CASES, SCOPED_REQUESTS, SCOPED_ROUTES } from './scoped-routes.ts';

/** Covers each pair of coordinate, form and route. `npm run prove access-paths` covers all combinations. */
describe('a graph with every authorization directive before subgraphs that guard nothing', () => {
  let graph: GuardedGraph;
  let gateway: Gateway;

  beforeAll(async () => {
    graph = buildScopedGraph();
    gateway = await startGuardedGateway(graph, SCOPED_CALLERS);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  it('shows each of five callers what the policy grants on every path, and nothing else', async () => {
    const cases = [...coverPairs(accessCases(graph, SCOPED_ROUTES, SCOPED_REQUESTS, true)), ...ABSTRACT_CASES];
    const oracle = createOracle(graph.monolith, graph.policy);
    const { mismatches, ...report } = await runMatrix({ graph, oracle, request: queryInProcess(gateway), cases, callers: SCOPED_CALLERS });
    expect(mismatches).toEqual([]);
    expect(report.cases).toBeGreaterThan(3_500);
    expect(report.withheld).toBeGreaterThan(report.cases / 4);
  }, 120_000);
});
