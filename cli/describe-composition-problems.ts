import type { CompositionProblem } from '../gateway/supergraph/composition-problem.ts';

/** One line a problem, then one a place, as editors and terminals link them. */
export function describeCompositionProblems(problems: readonly CompositionProblem[]): string {
  const lines = problems.flatMap(({ message, code, locations }) => [
    `${code === undefined ? '' : `${code} `}${message}`,
    ...locations.map(({ file, line, column }) => `  at ${file}:${line}:${column}`),
  ]);
  return [`The subgraphs do not compose: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`}.`, ...lines].join('\n');
}
