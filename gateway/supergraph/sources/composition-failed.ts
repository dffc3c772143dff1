import type { CompositionProblem } from '../composition-problem.ts';
import { SupergraphInvalid } from '../supergraph-invalid.ts';

/** Maximum number of composition errors in the message. */
const MAX_REASONS = 10;

/** Error for subgraphs that do not compose. */
export class CompositionFailed extends SupergraphInvalid {
  /** All problems, at least one. */
  readonly problems: readonly CompositionProblem[];

  constructor(problems: readonly CompositionProblem[]) {
    super(describe(problems));
    this.problems = problems;
  }
}

function describe(problems: readonly CompositionProblem[]): string {
  const reasons = problems.slice(0, MAX_REASONS).map(({ code, message, locations: [at] }) => {
    const location = at === undefined ? '' : ` (${at.file}:${at.line}:${at.column})`;
    return `${code === undefined ? '' : `${code}: `}${message}${location}`;
  });
  const rest = problems.length - reasons.length;
  return `The subgraphs do not compose: ${reasons.join('; ')}${rest > 0 ? `; and ${rest} more errors` : ''}`;
}
