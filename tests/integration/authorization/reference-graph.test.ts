import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { createOracle } from '../../fixtures/authorization/oracle.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../../fixtures/authorization/reference-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { accessCases } from './access-paths.ts';
import { coverPairs } from './cover-pairs.ts';
import { REFERENCE_REQUESTS, REFERENCE_ROUTES } from './reference-routes.ts';
import { queryInProcess, runMatrix } from './run-matrix.ts';

/** Covers each pair of coordinate, form and route. `npm run prove access-paths` covers all combinations. */
describe('the reference graph before subgraphs that guard nothing', () => {
  let graph: GuardedGraph;
  let gateway: Gateway;

  beforeAll(async () => {
    graph = await buildReferenceGraph();
    gateway = await startGuardedGateway(graph);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  it('shows each of four callers what the policy grants on every path, and nothing else', async () => {
    const cases = coverPairs(accessCases(graph, REFERENCE_ROUTES, REFERENCE_REQUESTS, true));
    const oracle = createOracle(graph.monolith, graph.policy);
    const { mismatches, ...report } = await runMatrix({
      graph,
      oracle,
      request: queryInProcess(gateway),
      cases,
      callers: REFERENCE_CALLERS,
    });
    expect(mismatches).toEqual([]);
    expect(report.cases).toBeGreaterThan(6_000);
    expect(report.withheld).toBeGreaterThan(report.cases / 4);
  }, 300_000);
});
