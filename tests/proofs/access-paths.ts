/**
 * Asks for every protected coordinate of two graphs by every route and in every form, for every caller, and compares each response with one
 * schema that checks each field and each object on its own: in process for both graphs, and over every transport for the reference graph.
 * `npm test` takes cases that cover each pair of coordinate, form and route. Ends with 1 for a response that differs.
 *
 * Duration: about 5 minutes
 */
import { createOracle } from '../fixtures/authorisation/oracle.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../fixtures/authorisation/reference-graph.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../fixtures/authorisation/scoped-graph.ts';
import { startGuardedGateway } from '../fixtures/authorisation/start-guarded-gateway.ts';
import { accessCases } from '../integration/authorisation/access-paths.ts';
import { DOORS } from '../integration/authorisation/doors.ts';
import { MANY_REQUESTS } from '../integration/authorisation/many-requests.ts';
import { REFERENCE_ASKS, REFERENCE_ROUTES } from '../integration/authorisation/reference-routes.ts';
import { askInProcess, type Matrix, runMatrix } from '../integration/authorisation/run-matrix.ts';
import { ABSTRACT_CASES, SCOPED_ASKS, SCOPED_ROUTES } from '../integration/authorisation/scoped-routes.ts';

const rows: Record<string, unknown>[] = [];

async function run(graph: string, by: string, matrix: Matrix): Promise<void> {
  const { mismatches, cases, withheld } = await runMatrix(matrix);
  rows.push({ graph, by, cases, withheld, mismatches: mismatches.length });
  for (const mismatch of mismatches) console.error(JSON.stringify(mismatch, null, 2));
  if (mismatches.length > 0 || withheld === 0) process.exitCode = 1;
}

async function runScoped(): Promise<void> {
  const graph = buildScopedGraph();
  const cases = [...accessCases(graph, SCOPED_ROUTES, SCOPED_ASKS, true), ...ABSTRACT_CASES];
  const oracle = createOracle(graph.monolith, graph.policy);
  await using gateway = await startGuardedGateway(graph, SCOPED_CALLERS);
  await run('all directives', 'in process', { graph, oracle, ask: askInProcess(gateway), cases, callers: SCOPED_CALLERS });
}

async function runReference(): Promise<void> {
  const graph = await buildReferenceGraph();
  const cases = accessCases(graph, REFERENCE_ROUTES, REFERENCE_ASKS, true);
  const oracle = createOracle(graph.monolith, graph.policy);
  await using gateway = await startGuardedGateway(graph, [], MANY_REQUESTS);
  const callers = REFERENCE_CALLERS;
  await run('reference', 'in process', { graph, oracle, ask: askInProcess(gateway), cases, callers });
  const { url } = await gateway.listen();
  for (const door of DOORS) {
    const taken = cases.filter(
      ({ form, route: { kind, type } }) => door.kinds.includes(kind) && (form !== '@defer' || type !== 'Mutation'),
    );
    const ask = door.open(url);
    await run('reference', door.name, { graph, oracle, ask, cases: taken, callers });
    await ask[Symbol.asyncDispose]?.();
  }
}

await runScoped();
await runReference();
console.table(rows);
