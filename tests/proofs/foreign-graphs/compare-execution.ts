import { type GraphQLSchema, Kind, OperationTypeNode, parse, validate } from 'graphql';
import type { RandomRequest } from '../../differential/random-federation/build-random-federation.ts';
import { type CaseResult, type Graph, createRequest, runRequest, toGraph } from '../../differential/random-federation/run-case.ts';
import type { ExpectedPlan } from './expected-plans.ts';
import { CORRUPT, NOT_MOCKED, reasonOf } from './known-reasons.ts';
import type { LoadedForeign } from './load-all.ts';
import { mockFederation } from './mock-federation.ts';
import { isRefusedByStock } from './refused-by-stock.ts';
import { type Report, count } from './report.ts';

/** What is asked of each graph. */
export interface ExecutionSettings {
  readonly seed: number;
  readonly operations: number;
}

/** Answers random operations over mocked subgraphs and over one schema with the same data. */
export async function compareExecution(
  supergraphs: readonly LoadedForeign[],
  { seed, operations }: ExecutionSettings,
  report: Report,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const supergraph of supergraphs) {
    const graph = createGraph(supergraph, seed, counts, report);
    if (graph === undefined) continue;
    for (let index = 0; index < operations; index += 1) {
      const request = makeRequest(graph, seed, index);
      if (request === undefined) {
        count(counts, 'graphs of which no valid operation was found');
        break;
      }
      const result = await runRequest(graph, request);
      const isCorrupt = isExcused(supergraph, request, result.verdict);
      count(counts, isCorrupt ? 'operations that differ on a corrupt supergraph' : `operations answered ${result.verdict.kind}`);
      if (result.verdict.kind === 'wrong' && !isCorrupt)
        report.fault(`answer differs: ${result.verdict.class}`, describe(supergraph, result));
    }
  }
  report.table('Execution', counts);
}

/** Answers the operations of other projects' tests in the same way. */
export async function compareOwnOperations(expected: readonly ExpectedPlan[], seed: number, report: Report): Promise<void> {
  const counts = new Map<string, number>();
  const graphs = new Map<string, Graph | undefined>();
  for (const { name, file, sdl, operation } of expected) {
    if (!graphs.has(sdl)) graphs.set(sdl, createOwnGraph(sdl, seed));
    const graph = graphs.get(sdl);
    const variables = graph && variablesOf(graph.federation.monolith, operation);
    if (graph === undefined || variables === undefined) {
      count(counts, 'operations that cannot be executed: no mocks, not valid, or with variables of unknown values');
      continue;
    }
    const request = { text: operation, variables, labels: [] };
    const { verdict } = await runRequest(graph, request);
    const isCorrupt = isExcused({ file, sdl }, request, verdict);
    count(counts, isCorrupt ? 'operations that differ on a corrupt supergraph' : `operations answered ${verdict.kind}`);
    if (verdict.kind === 'wrong' && !isCorrupt)
      report.fault(`own operation differs: ${verdict.class}`, `${name}: ${verdict.detail.slice(0, 300)}`);
  }
  report.table('Execution of operations of the tests', counts);
}

/** Whether an operation fails because no composition makes its supergraph: then the stock planner refuses the operation too. */
function isExcused(
  { file, sdl }: Pick<LoadedForeign, 'file' | 'sdl'>,
  { text, operationName }: RandomRequest,
  verdict: CaseResult['verdict'],
): boolean {
  if (verdict.kind !== 'wrong') return false;
  const corrupt = CORRUPT.find((known) => known.file === file);
  if (corrupt === undefined) return false;
  return corrupt.verified?.test(verdict.detail) === true || isRefusedByStock(sdl, text, operationName);
}

/** Why there are no mocks is said where the supergraph itself is read. */
function createOwnGraph(sdl: string, seed: number): Graph | undefined {
  try {
    return toGraph(mockFederation(sdl, seed));
  } catch {
    return undefined;
  }
}

const VALUES: Readonly<Record<string, unknown>> = { Boolean: true, ID: '1', String: '1', Int: 1, Float: 1 };

/** Values for the variables that need one; undefined where the operation is not valid or no value is known. */
function variablesOf(schema: GraphQLSchema, text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const document = parse(text);
    if (validate(schema, document).length > 0) return undefined;
    const variables: Record<string, unknown> = {};
    for (const node of document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      if (node.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
      for (const { variable, type, defaultValue } of node.variableDefinitions ?? []) {
        if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) continue;
        const value = type.type.kind === Kind.NAMED_TYPE ? VALUES[type.type.name.value] : undefined;
        if (value === undefined) return undefined;
        variables[variable.name.value] = value;
      }
    }
    return variables;
  } catch {
    return undefined;
  }
}

function createGraph({ file, sdl }: LoadedForeign, seed: number, counts: Map<string, number>, report: Report): Graph | undefined {
  try {
    const graph = toGraph(mockFederation(sdl, seed));
    count(counts, 'graphs');
    return graph;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = reasonOf(NOT_MOCKED, message);
    count(counts, `graphs without mocks: ${reason ?? 'no known reason'}`);
    if (reason === undefined) report.fault('no mocks for no known reason', `${file}: ${message.slice(0, 300)}`);
    return undefined;
  }
}

function makeRequest({ federation }: Graph, seed: number, index: number): RandomRequest | undefined {
  try {
    return createRequest(federation, seed, index);
  } catch {
    return undefined;
  }
}

function describe({ file }: LoadedForeign, { request, verdict }: CaseResult): string {
  const detail = verdict.kind === 'wrong' ? verdict.detail.slice(0, 300) : '';
  return `${file}: ${detail}\n    ${request.text.replaceAll(/\s+/g, ' ').slice(0, 400)}`;
}
