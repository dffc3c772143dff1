import { type ASTNode, getLocation, type StringValueNode } from 'graphql';
import type { ConnectorProblem, ConnectorProblemCode } from './connector-problem.ts';
import { positionsOf } from './string-positions.ts';

/** A position of a mistake: a node, or a position in the value of a string. */
export type ProblemPosition = ASTNode | { readonly text: StringValueNode; readonly offset: number };

/** Records a mistake. The first position is that of the mistake, others are related. */
export type ReportProblem = (code: ConnectorProblemCode, message: string, ...at: readonly ProblemPosition[]) => void;

/** Reports an invalid `@source` or `@connect` in a supergraph. */
class ConnectorInvalid extends Error {
  override readonly name = 'ConnectorInvalid';
  readonly code: ConnectorProblemCode;

  constructor(code: ConnectorProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Throws for the first mistake.
 *
 * @throws ConnectorInvalid
 */
export const throwProblem: ReportProblem = (code, message) => {
  throw new ConnectorInvalid(code, message);
};

/**
 * Collects mistakes, each message and position once.
 *
 * @param subgraph name with which each message begins
 */
export function collectProblems(subgraph: string): { readonly report: ReportProblem; readonly problems: readonly ConnectorProblem[] } {
  const problems: ConnectorProblem[] = [];
  const known = new Set<string>();
  const report: ReportProblem = (code, message, ...at) => {
    const locations = at.flatMap((position) => locationOf(position));
    const [first] = locations;
    const key = `${code} ${message} ${first === undefined ? '' : `${first.file}:${first.line}:${first.column}`}`;
    if (known.has(key)) return;
    known.add(key);
    problems.push({ code, message: `[${subgraph}] ${message}`, locations });
  };
  return { report, problems };
}

function locationOf(position: ProblemPosition): ConnectorProblem['locations'] {
  if ('kind' in position) {
    const { loc } = position;
    return loc === undefined ? [] : [{ file: loc.source.name, ...getLocation(loc.source, loc.start) }];
  }
  const { text, offset } = position;
  const offsetInFile = positionsOf(text)?.(offset);
  if (text.loc === undefined || offsetInFile === undefined) return [];
  return [{ file: text.loc.source.name, ...getLocation(text.loc.source, offsetInFile) }];
}
