import { type ConstValueNode, Kind, type NameNode, type StringValueNode } from 'graphql';
import { nearestKey } from '../../platform/nearest-key.ts';
import type { ReportProblem } from './report-problem.ts';

/** An argument of a directive, or a field of an input object. */
export interface NamedValue {
  readonly name: NameNode;
  readonly value: ConstValueNode;
}

/** Values by their names. Null values are absent. */
export type NamedValues = ReadonlyMap<string, ConstValueNode>;

/**
 * Indexes arguments or fields by name. Reports unknown names.
 *
 * @param where arguments that contain them, for messages: "`@connect(http:)` on `Query.users`"
 */
export function readNamed(values: readonly NamedValue[], known: readonly string[], where: string, report: ReportProblem): NamedValues {
  const found = new Map<string, ConstValueNode>();
  for (const { name, value } of values) {
    if (known.includes(name.value)) {
      if (value.kind !== Kind.NULL) found.set(name.value, value);
      continue;
    }
    const near = nearestKey(name.value, known);
    const hint = near === undefined ? `Known arguments are ${known.join(', ')}.` : `Did you mean "${near}"?`;
    report('INVALID_GRAPHQL', `${where} has the unknown argument "${name.value}". ${hint}`, name);
  }
  return found;
}

/** Reads the fields of an input object. Returns undefined without a value, and reports values of another kind. */
export function readInputFields(
  value: ConstValueNode | undefined,
  known: readonly string[],
  where: string,
  report: ReportProblem,
): NamedValues | undefined {
  if (value === undefined) return undefined;
  if (value.kind === Kind.OBJECT) return readNamed(value.fields, known, where, report);
  report('INVALID_GRAPHQL', `${where} must be an object with the fields ${known.join(', ')}.`, value);
  return undefined;
}

/** Reads a string. Returns undefined without a value, and reports values of another kind. */
export function readString(value: ConstValueNode | undefined, where: string, report: ReportProblem): StringValueNode | undefined {
  if (value === undefined || value.kind === Kind.STRING) return value;
  report('INVALID_GRAPHQL', `${where} must be a string.`, value);
  return undefined;
}

/** Reads a boolean. Returns undefined without a value, and reports values of another kind. */
export function readBoolean(value: ConstValueNode | undefined, where: string, report: ReportProblem): boolean | undefined {
  if (value === undefined) return undefined;
  if (value.kind === Kind.BOOLEAN) return value.value;
  report('INVALID_GRAPHQL', `${where} must be true or false.`, value);
  return undefined;
}

/** Reads the elements of a list. A single value is a list of one element (GraphQL, section 3.11). */
export function readList(value: ConstValueNode | undefined): readonly ConstValueNode[] {
  if (value === undefined) return [];
  return value.kind === Kind.LIST ? value.values : [value];
}
