/**
 * Requests every protected coordinate of two graphs by every route and in every form, for every caller, and compares each response with a
 * single schema that checks each field and each object separately: in process for both graphs, and over every transport for the reference
 * graph. `npm test` runs cases that cover each pair of coordinate, form and route. Exits with 1 if a response differs.
 *
 * Duration: about 5 minutes
 */
import { createOracle } from '../fixtures/authorization/oracle.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../fixtures/authorization/reference-graph.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../fixtures/authorization/scoped-graph.ts';
import { startGuardedGateway } from '../fixtures/authorization/start-guarded-gateway.ts';
import { accessCases } from '../integration/authorization/access-paths.ts';
import { TRANSPORTS } from '../integration/authorization/transports.ts';
import { MANY_REQUESTS } from '../integration/authorization/many-requests.ts';
import { REFERENCE_REQUESTS, REFERENCE_ROUTES } from '../integration/authorization/reference-routes.ts';
import { queryInProcess, type Matrix, runMatrix } from '../integration/authorization/run-matrix.ts';
import { ABSTRACT_CASES, SCOPED_REQUESTS, SCOPED_ROUTES } from '../integration/authorization/scoped-routes.ts';

const rows: Record<string, unknown>[] = [];

async function run(graph: string, by: string, matrix: Matrix): Promise<void> {
  const { mismatches, cases, withheld } = await runMatrix(matrix);
  rows.push({ graph, by, cases, withheld, mismatches: mismatches.length });
  for (const mismatch of mismatches) console.error(JSON.stringify(mismatch, null, 2));
  if (mismatches.length > 0 || withheld === 0) process.exitCode = 1;
}

async function runScoped(): Promise<void> {
  const graph = buildScopedGraph();
  const cases = [...accessCases(graph, SCOPED_ROUTES, SCOPED_REQUESTS, true), ...ABSTRACT_CASES];
  const oracle = createOracle(graph.monolith, graph.policy);
  await using gateway = await startGuardedGateway(graph, SCOPED_CALLERS);
  await run('all directives', 'in process', { graph, oracle, request: queryInProcess(gateway), cases, callers: SCOPED_CALLERS });
}

async function runReference(): Promise<void> {
  const graph = await buildReferenceGraph();
  const cases = accessCases(graph, REFERENCE_ROUTES, REFERENCE_REQUESTS, true);
  const oracle = createOracle(graph.monolith, graph.policy);
  await using gateway = await startGuardedGateway(graph, [], MANY_REQUESTS);
  const callers = REFERENCE_CALLERS;
  await run('reference', 'in process', { graph, oracle, request: queryInProcess(gateway), cases, callers });
  const { url } = await gateway.listen();
  for (const transport of TRANSPORTS) {
    const taken = cases.filter(
      ({ form, route: { kind, type } }) => transport.kinds.includes(kind) && (form !== '@defer' || type !== 'Mutation'),
    );
    const request = transport.open(url);
    await run('reference', transport.name, { graph, oracle, request, cases: taken, callers });
    await request[Symbol.asyncDispose]?.();
  }
}

await runScoped();
await runReference();
console.table(rows);
