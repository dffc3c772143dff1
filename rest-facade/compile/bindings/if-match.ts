import { isScalarType } from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { compileTextReader, type TextReader } from './text-reader.ts';
import type { TypedVariable } from './variables.ts';

/** The version of a resource that a write expects. */
export interface VersionBinding {
  readonly variable: string;
  /** Whether a write without a precondition is rejected. */
  readonly isRequired: boolean;
  /** Whether versions are integers. Otherwise they are arbitrary text. */
  readonly isInteger: boolean;
  readonly read: TextReader;
}

export const WRITES_OVER: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);
const TYPES: ReadonlySet<string> = new Set(['Int', 'String', 'ID']);

/** Compiles the variable that receives the version from `If-Match`. */
export function compileIfMatch(
  variables: readonly TypedVariable[],
  { method }: Endpoint,
  report: ProblemReport,
): VersionBinding | undefined {
  const [variable, second] = variables.filter(({ node }) => useOf(node, 'ifMatch') !== undefined);
  if (variable === undefined) return undefined;
  const { node, name, type, nullable } = variable;
  if (second !== undefined)
    report.at(second.node, 'An operation can have only one @ifMatch.', 'Keep @ifMatch only on the variable that the subgraph compares.');
  if (!WRITES_OVER.has(method)) {
    report.at(
      node,
      `${method} does not modify an existing resource, so it has no version to compare.`,
      'Use @ifMatch only with PUT, PATCH and DELETE.',
    );
  }
  if (!isScalarType(nullable) || !TYPES.has(nullable.name)) {
    report.at(node, `$${name} has a type that cannot be used with @ifMatch.`, 'Use the nullable type `Int`, `String` or `ID`.');
    return undefined;
  }
  if (type !== nullable) {
    report.at(
      node,
      `$${name} must be nullable, because \`If-Match: *\` does not name a version.`,
      'Remove the `!`. To require the header, write `@ifMatch(required: true)`.',
    );
  }
  return {
    variable: name,
    isRequired: useOf(node, 'ifMatch')?.values.required === true,
    isInteger: nullable.name === 'Int',
    read: compileTextReader(nullable, false),
  };
}
