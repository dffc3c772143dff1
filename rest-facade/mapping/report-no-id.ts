import type { ASTNode } from 'graphql';
import type { ProblemReport } from './problem.ts';

/** Only IDs are text in the graph and may be integers in REST. */
export function reportNoId(node: ASTNode, subject: string, report: ProblemReport): void {
  report.at(
    node,
    `${subject} is no ID, so it cannot be written as an integer.`,
    'Leave the integer mark out: other types say themselves what JSON they are.',
  );
}
