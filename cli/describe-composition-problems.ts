import type { CompositionProblem } from '../gateway/supergraph/composition-problem.ts';

/** Formats composition problems: one line for each problem, then one for each location, in a format that editors and terminals link. */
export function describeCompositionProblems(problems: readonly CompositionProblem[]): string {
  const lines = problems.flatMap(({ message, code, locations }) => [
    `${code === undefined ? '' : `${code} `}${message}`,
    ...locations.map(({ file, line, column }) => `  ${file}:${line}:${column}`),
  ]);
  return [
    `Composition of the subgraphs failed with ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}.`,
    ...lines,
  ].join('\n');
}
