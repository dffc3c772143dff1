import type { RandomRequest } from '../../differential/random-federation/build-random-federation.ts';
import { type CaseResult, type Graph, createRequest, runRequest, toGraph } from '../../differential/random-federation/run-case.ts';
import { NOT_MOCKED, corruptionOf, reasonOf } from './known-reasons.ts';
import type { LoadedForeign } from './load-all.ts';
import { mockFederation } from './mock-federation.ts';
import { isRejectedByStock } from './stock-planner.ts';
import { type Report, count } from './report.ts';

/** Settings of the operations that are run on each graph. */
export interface ExecutionSettings {
  readonly seed: number;
  readonly operations: number;
}

/** Compares responses to random operations over mocked subgraphs with those of a single schema that has the same data. */
export async function compareExecution(
  title: string,
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
        count(counts, 'graphs without a valid operation');
        break;
      }
      const result = await runRequest(graph, request);
      const isCorrupt = isExcused(supergraph, request, result.classification);
      count(counts, isCorrupt ? 'operations that differ on a corrupt supergraph' : `results: ${result.classification.kind}`);
      if (result.classification.kind === 'wrong' && !isCorrupt)
        report.failure(`result differs: ${result.classification.class}`, describe(supergraph, result));
    }
  }
  report.table(title, counts);
}

/** Whether an operation fails because composition cannot produce its supergraph: then the stock planner rejects the operation too. */
export function isExcused(
  { file, sdl }: Pick<LoadedForeign, 'file' | 'sdl'>,
  { text, operationName }: RandomRequest,
  classification: CaseResult['classification'],
): boolean {
  if (classification.kind !== 'wrong') return false;
  const corrupt = corruptionOf(file);
  if (corrupt === undefined) return false;
  return corrupt.verified?.test(classification.detail) === true || isRejectedByStock(sdl, text, operationName);
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
    if (reason === undefined) report.failure('no mocks for no known reason', `${file}: ${message.slice(0, 300)}`);
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

function describe({ file }: LoadedForeign, { request, classification }: CaseResult): string {
  const detail = classification.kind === 'wrong' ? classification.detail.slice(0, 300) : '';
  return `${file}: ${detail}\n    ${request.text.replaceAll(/\s+/g, ' ').slice(0, 400)}`;
}
