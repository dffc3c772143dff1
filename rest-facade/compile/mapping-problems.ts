import { type ASTNode, getLocation, type Location } from 'graphql';

/** A mistake in a REST document. */
export interface MappingProblem {
  /** Describes the mistake. */
  readonly message: string;
  /** Describes how to correct the mistake. */
  readonly hint: string;
  readonly file: string;
  /** @unit lines, from 1; 0 if the mistake does not belong to a file */
  readonly line: number;
  /** @unit characters, from 1 */
  readonly column: number;
}

/** Collects the mistakes of a whole run, so that they are reported together. */
export interface ProblemReport {
  at(node: ASTNode, message: string, hint: string): void;
}

/** Thrown for documents that cannot be served, with all their mistakes. */
export class MappingInvalid extends Error {
  readonly problems: readonly MappingProblem[];

  constructor(problems: readonly MappingProblem[]) {
    const count = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
    super(`The REST documents have ${count}:\n${problems.map(toLine).join('\n')}`);
    this.name = 'MappingInvalid';
    this.problems = problems;
  }
}

function toLine({ file, line, column, message, hint }: MappingProblem): string {
  return `${file}:${line}:${column}: ${message}\n    ${hint}`;
}

/** Converts a location to file, line and column. */
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

/** Reports `@integer` on a value that is not an ID. Only IDs are text in the graph and can be integers in REST. */
export function reportNoId(node: ASTNode, subject: string, report: ProblemReport): void {
  report.at(
    node,
    `${subject} is not of type ID, so it cannot be marked as an integer.`,
    'Remove the integer mark. The JSON type of other values follows from their GraphQL type.',
  );
}
