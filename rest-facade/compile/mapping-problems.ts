import { type ASTNode, getLocation, type Location } from 'graphql';

/** One mistake in a REST document. */
export interface MappingProblem {
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  readonly file: string;
  /** @unit lines, from 1; 0 where the mistake is not in a file */
  readonly line: number;
  /** @unit characters, from 1 */
  readonly column: number;
}

/** Collects the mistakes of a whole run, so that all are told at once. */
export interface ProblemReport {
  at(node: ASTNode, message: string, hint: string): void;
}

/** Documents that cannot be served, with everything that is wrong with them. */
export class MappingInvalid extends Error {
  readonly problems: readonly MappingProblem[];

  constructor(problems: readonly MappingProblem[]) {
    const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
    super(`The REST documents have ${count}:\n${problems.map(toLine).join('\n')}`);
    this.name = 'MappingInvalid';
    this.problems = problems;
  }
}

function toLine({ file, line, column, message, hint }: MappingProblem): string {
  return `${file}:${line}:${column}: ${message}\n    ${hint}`;
}

/** Where a node stands, as people write it. */
export function positionOf(location: Location | undefined): Pick<MappingProblem, 'file' | 'line' | 'column'> {
  if (location === undefined) return { file: '(no file)', line: 0, column: 0 };
  const { line, column } = getLocation(location.source, location.start);
  return { file: location.source.name, line, column };
}

export function createProblemReport(problems: MappingProblem[]): ProblemReport {
  return {
    at(node, message, hint) {
      problems.push({ message, hint, ...positionOf(node.loc) });
    },
  };
}

/** Only IDs are text in the graph and may be integers in REST. */
export function reportNoId(node: ASTNode, subject: string, report: ProblemReport): void {
  report.at(
    node,
    `${subject} is no ID, so it cannot be written as an integer.`,
    'Leave the integer mark out: other types say themselves what JSON they are.',
  );
}
