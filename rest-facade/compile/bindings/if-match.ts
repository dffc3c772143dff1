import { isScalarType } from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { compileTextReader, type TextReader } from './text-reader.ts';
import type { TypedVariable } from './variables.ts';

/** The version that a write expects to find. */
export interface VersionBinding {
  readonly variable: string;
  /** Whether a write without a precondition is refused. */
  readonly isRequired: boolean;
  /** Whether versions are numbers; otherwise they are any text. */
  readonly isInteger: boolean;
  readonly read: TextReader;
}

export const WRITES_OVER: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);
const TYPES: ReadonlySet<string> = new Set(['Int', 'String', 'ID']);

/** The variable that takes the version of `If-Match`. */
export function compileIfMatch(
  variables: readonly TypedVariable[],
  { method }: Endpoint,
  report: ProblemReport,
): VersionBinding | undefined {
  const [variable, second] = variables.filter(({ node }) => useOf(node, 'ifMatch') !== undefined);
  if (variable === undefined) return undefined;
  const { node, name, type, nullable } = variable;
  if (second !== undefined) report.at(second.node, 'An operation has one @ifMatch.', 'Leave it on the version that is compared.');
  if (!WRITES_OVER.has(method)) {
    report.at(node, `${method} writes over nothing, so there is no version to compare.`, '@ifMatch goes with PUT, PATCH and DELETE.');
  }
  if (!isScalarType(nullable) || !TYPES.has(nullable.name)) {
    report.at(node, `$${name} is no version${type === nullable ? '' : ' that may be absent'}.`, 'Use the type `Int`, `String` or `ID`.');
    return undefined;
  }
  if (type !== nullable) {
    report.at(
      node,
      `$${name} must be able to be null: \`If-Match: *\` names no version.`,
      'Leave the `!` out; `@ifMatch(required: true)` asks for the header.',
    );
  }
  return {
    variable: name,
    isRequired: useOf(node, 'ifMatch')?.values.required === true,
    isInteger: nullable.name === 'Int',
    read: compileTextReader(nullable, false),
  };
}
