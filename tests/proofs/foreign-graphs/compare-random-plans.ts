import { type GraphQLSchema, visit } from 'graphql';
import { generateOperation } from '../../differential/generate-operation.ts';
import { pruneOperation, shrinkOperationText } from '../../differential/random-federation/reduce-document.ts';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { NOT_COMPARED, corruptionOf, reasonOf } from './known-reasons.ts';
import type { LoadedForeign } from './load-all.ts';
import { type PlanMeasure, measurePlan } from './measure-plan.ts';
import { type Report, count } from './report.ts';
import { type StockPlanning, createStockPlanning } from './stock-planner.ts';

export interface RandomPlanSettings {
  readonly seed: number;
  /** Number of operations for each supergraph. */
  readonly operations: number;
}

/** CPU time of one stock plan beyond which the comparison of its supergraph ends. @unit milliseconds */
const MAX_STOCK_MS = 3_000;

/** Approximate numbers of fields of an operation. */
const SIZES = [4, 8, 15, 30];

/** Compares requests and depth of plans of random operations with those of the stock planner, and lists plans that have more of either. */
export function compareRandomPlans(
  title: string,
  supergraphs: readonly LoadedForeign[],
  { seed, operations }: RandomPlanSettings,
  report: Report,
): void {
  const counts = new Map<string, number>();
  const sums = { ours: 0, theirs: 0 };
  report.line(`\n${title}: plans with more requests or more depth, reduced (requests/depth, gateway : stock)`);
  for (const supergraph of supergraphs) {
    const both = createPlanners(supergraph, counts, report);
    if (both === undefined) continue;
    const { schema } = supergraph.loaded;
    const listed = new Set<string>();
    for (let index = 0; index < operations; index += 1) {
      const text = generate(schema, seed + index, SIZES[index % SIZES.length] ?? 8);
      if (text === undefined) {
        count(counts, 'supergraphs without a valid operation');
        break;
      }
      const measured = both(text);
      if ('message' in measured) {
        countUnplanned(supergraph, text, measured.message, { counts, report });
        continue;
      }
      const { ours, theirs, isSlow } = measured;
      sums.ours += ours.requests;
      sums.theirs += theirs.requests;
      count(counts, `requests: ${compare(ours.requests, theirs.requests, ['fewer', 'equal', 'more'])}`);
      count(counts, `depth: ${compare(ours.depth, theirs.depth, ['less', 'same', 'more'])}`);
      for (const kind of ['requests', 'depth'] as const) {
        if (ours[kind] > theirs[kind]) list(supergraph, isSlow ? text : reduce(text, schema, both, kind), { kind, both, listed, report });
      }
      if (isSlow) {
        count(counts, `supergraphs skipped because a stock plan took more than ${MAX_STOCK_MS / 1_000} s`);
        break;
      }
    }
  }
  report.table(`${title} (sum of requests ${sums.ours}, stock ${sums.theirs})`, counts);
}

/** Plans an operation with both planners. An error message begins with the name of the planner that has no plan. */
type Planners = (text: string) => Measured | { readonly message: string };

interface Measured {
  readonly ours: PlanMeasure;
  readonly theirs: PlanMeasure;
  /** Whether the stock planner exceeded its CPU time. */
  readonly isSlow: boolean;
}

function createPlanners({ file, sdl }: LoadedForeign, counts: Map<string, number>, report: Report): Planners | undefined {
  const stock = createStock(file, sdl, counts, report);
  if (stock === undefined) return undefined;
  const planner = createQueryPlanner(sdl);
  return (text) => {
    try {
      const before = process.cpuUsage();
      const theirs = attempt('stock', () => stock(text));
      const { user, system } = process.cpuUsage(before);
      const ours = attempt('ours', () => measurePlan(planner.plan({ document: text, conditions: {}, labels: [] })));
      return { ours, theirs, isSlow: user + system > MAX_STOCK_MS * 1_000 };
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error) };
    }
  };
}

function createStock(file: string, sdl: string, counts: Map<string, number>, report: Report): StockPlanning | undefined {
  try {
    return createStockPlanning(sdl);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = reasonOf(NOT_COMPARED, message);
    count(counts, `supergraphs rejected: ${reason ?? 'no known reason'}`);
    if (reason === undefined)
      report.failure('supergraph rejected by the stock planner for no known reason', `${file}: ${message.slice(0, 300)}`);
    return undefined;
  }
}

function attempt<T>(who: 'stock' | 'ours', plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    throw new Error(`${who}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function countUnplanned(
  { file }: LoadedForeign,
  text: string,
  message: string,
  { counts, report }: { readonly counts: Map<string, number>; readonly report: Report },
): void {
  const isCorrupt = corruptionOf(file)?.verified?.test(message) === true;
  const reason = isCorrupt ? 'a corrupt supergraph' : reasonOf(NOT_COMPARED, message);
  count(counts, `operations not compared: ${reason ?? 'no known reason'}`);
  if (reason === undefined) report.failure('no plan for no known reason', `${file}: ${message.slice(0, 300)}\n    ${oneLine(text)}`);
}

interface Listing {
  readonly kind: keyof PlanMeasure;
  readonly both: Planners;
  /** Operations that were listed for the supergraph. */
  readonly listed: Set<string>;
  readonly report: Report;
}

function list({ file }: LoadedForeign, text: string, { kind, both, listed, report }: Listing): void {
  const measured = both(text);
  if ('message' in measured || listed.has(text)) return;
  listed.add(text);
  report.line(`  more ${kind}, ${sizeOf(measured.ours)} : ${sizeOf(measured.theirs)}, ${file}\n    ${oneLine(text)}`);
}

/** Removes everything from the operation that can be removed while the gateway's plan has more. */
function reduce(text: string, schema: GraphQLSchema, both: Planners, kind: keyof PlanMeasure): string {
  return shrinkOperationText(text, schema, (smaller) => {
    const measured = both(smaller);
    return 'ours' in measured && measured.ours[kind] > measured.theirs[kind];
  });
}

/** Generates a random operation without conditions, because the stock planner creates plan nodes for them that are not requests. */
function generate(schema: GraphQLSchema, seed: number, maxFields: number): string | undefined {
  try {
    const { document } = generateOperation({ schema, seed, maxFields });
    return pruneOperation(visit(document, { Directive: () => null }), schema);
  } catch {
    return undefined;
  }
}

function sizeOf({ requests, depth }: PlanMeasure): string {
  return `${requests}/${depth}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function compare(one: number, other: number, [less, equal, more]: readonly [string, string, string]): string {
  return one < other ? less : one > other ? more : equal;
}
