import { type GraphQLInputObjectType, isInputObjectType, isNonNullType } from 'graphql';
import { withLimits } from '../request/body-limits.ts';
import { compileJsonReader, type JsonReader } from '../request/json-reader.ts';
import { compileBodyLimits } from './compile-body-limits.ts';
import type { Endpoint } from './compile-endpoints.ts';
import { type DirectiveArguments, type DirectiveUse, useOf } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';
import { reportNoId } from './report-no-id.ts';
import type { TypedVariable } from './typed-variable.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What clients call those fields of the body that they call otherwise than the graph; what does not fit is reported. */
export function compileBodyNames(
  { node, values: { names } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): ReadonlyMap<string, string> {
  const fields = Object.keys(type.getFields());
  const byField = new Map(names.map(({ field, as }) => [field, as]));
  for (const { field, as } of names) {
    if (!fields.includes(field)) report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${fields.join(', ')}.`);
    if (!NAME.test(as)) report.at(node, `"${as}" is no name of a field.`, 'Write letters, digits and underscores.');
  }
  const shown = fields.map((field) => byField.get(field) ?? field);
  const twice = shown.find((name, index) => shown.indexOf(name) !== index);
  if (twice !== undefined || byField.size < names.length) {
    report.at(
      node,
      `Two fields of the body have one name${twice === undefined ? '' : `, ${twice}`}.`,
      'Give each field a name of its own, once.',
    );
  }
  return byField;
}

export interface BodyBinding {
  readonly variable: string;
  /** Names of the members that the body takes, as clients write them. */
  readonly members: ReadonlySet<string>;
  readonly read: JsonReader;
}

export function compileBody(
  variables: readonly TypedVariable[],
  { method, node }: Endpoint,
  report: ProblemReport,
): BodyBinding | undefined {
  const [variable, second] = variables.filter(({ node }) => useOf(node, 'body') !== undefined);
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (variable === undefined) {
    // POST may ask for something that needs no more than its path.
    if (takesBody && method !== 'POST')
      report.at(node, `${method} has a body, and no variable takes it.`, 'Give the input variable `@body`.');
    return undefined;
  }
  if (second !== undefined) report.at(second.node, 'An operation has one @body.', 'Make one input type of the two.');
  if (!takesBody) report.at(variable.node, `${method} has no body.`, 'Read the value from the path or the query string with @in.');
  if (!variable.isRequired || !isInputObjectType(variable.nullable)) {
    report.at(
      variable.node,
      `$${variable.name} is the body, so it must be an input object that is always there.`,
      'Use a type like `CreateOrderInput!`.',
    );
    return undefined;
  }
  const use = useOf(variable.node, 'body');
  const integers = new Set(use?.values.integers);
  const names = use === undefined ? new Map<string, string>() : compileBodyNames(use, variable.nullable, report);
  for (const name of integers) {
    const type = variable.nullable.getFields()[name]?.type;
    if (type === undefined)
      report.at(
        variable.node,
        `${variable.nullable.name} has no field ${name}.`,
        `Its fields are ${Object.keys(variable.nullable.getFields()).join(', ')}.`,
      );
    else if ((isNonNullType(type) ? type.ofType.toString() : type.toString()) !== 'ID') reportNoId(variable.node, name, report);
  }
  const limits = use === undefined ? [] : compileBodyLimits(use, variable.nullable, report);
  const read = compileJsonReader(variable.nullable, { integers, names, isReplacement: method === 'PUT' });
  const members = new Set(Object.keys(variable.nullable.getFields()).map((name) => names.get(name) ?? name));
  return { variable: variable.name, members, read: withLimits(read, limits, names) };
}
