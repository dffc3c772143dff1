import type { CaseResult, Graph } from './run-case.ts';

/** Maximum share of subgraphs that do not compose: with more of them, too few graphs would be tested. @unit share of the graphs */
const MOST_DISCARDED = 0.4;

/** Maximum share of results in which several failures meet in one null. @unit share of the cases */
const MOST_LENIENT = 0.05;

/** Number of cases below which shares are not significant. @unit cases */
const ENOUGH = 500;

/** Counts something else about the same graphs and cases. */
export interface AdditionalTally {
  countGraph(graph: Graph): void;
  countCase(result: CaseResult, graph: Graph): void;
  problems(): readonly string[];
  report(): string;
}

/** Counts the results of many cases. */
export interface Tally {
  readonly cases: number;
  countGraph(graph: Graph | { readonly reasons: readonly string[] }): void;
  countCase(result: CaseResult, graph: Graph): void;
  /** Lists problems of the whole run: differences, or too few real comparisons. */
  problems(): readonly string[];
  report(elapsedMs: number): string;
}

/** Creates a tally. */
export function tally(additional?: AdditionalTally): Tally {
  const counts = { graphs: 0, discarded: 0, cases: 0, withErrors: 0, subgraphRequests: 0, lenient: 0 };
  const wrong = new Map<string, number>();
  const problems = (): readonly string[] => {
    const found = [...wrong].map(([difference, count]) => `${count} of ${difference}`);
    if (counts.cases >= ENOUGH && counts.discarded > counts.graphs * MOST_DISCARDED) found.push('too few graphs compose');
    if (counts.cases >= ENOUGH && counts.lenient > counts.cases * MOST_LENIENT) found.push('too many lenient results');
    if (counts.cases === 0) found.push('nothing was compared');
    return [...found, ...(additional?.problems() ?? [])];
  };
  return {
    get cases() {
      return counts.cases;
    },
    countGraph(graph) {
      counts.graphs += 1;
      if ('reasons' in graph) counts.discarded += 1;
      else additional?.countGraph(graph);
    },
    countCase(result, graph) {
      const { classification, truth, exchanges } = result;
      additional?.countCase(result, graph);
      counts.cases += 1;
      counts.subgraphRequests += exchanges.length;
      if (truth.errors.length > 0) counts.withErrors += 1;
      if (classification.kind === 'wrong') wrong.set(classification.class, (wrong.get(classification.class) ?? 0) + 1);
      else if (classification.leniencies.length > 0) counts.lenient += 1;
    },
    problems,
    report(elapsedMs) {
      const perSecond = Math.round((counts.cases * 1000) / Math.max(1, elapsedMs));
      return [
        `${counts.cases} cases in ${counts.graphs - counts.discarded} graphs (${counts.discarded} did not compose), ${perSecond} per second`,
        `${counts.subgraphRequests} subgraph requests, ${counts.withErrors} results with errors`,
        `${counts.lenient} results with other errors beneath the same null`,
        ...(additional === undefined ? [] : [additional.report()]),
        problems().length === 0 ? 'no difference' : problems().join(', '),
      ].join('; ');
    },
  };
}
