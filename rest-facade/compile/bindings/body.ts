import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { type DirectiveArguments, type DirectiveUse, useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { type ProblemReport, reportNoId } from '../mapping-problems.ts';
import { type BodyLimit, withLimits } from './body-limits.ts';
import { compileJsonReader, type JsonReader } from './json-reader.ts';
import type { TypedVariable } from './variables.ts';

export interface BodyBinding {
  readonly variable: string;
  /** Client-facing names of the members that the body accepts. */
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
    // A POST operation may need nothing but its path.
    if (takesBody && method !== 'POST')
      report.at(node, `${method} has a request body, but no variable reads it.`, 'Add `@body` to the variable that is the input object.');
    return undefined;
  }
  if (second !== undefined) report.at(second.node, 'An operation can have only one @body.', 'Combine the variables into one input type.');
  if (!takesBody) report.at(variable.node, `${method} has no request body.`, 'Read the value from the path or the query string with @in.');
  if (!variable.isRequired || !isInputObjectType(variable.nullable)) {
    report.at(
      variable.node,
      `$${variable.name} is the request body, so its type must be a non-null input object.`,
      'Use a type such as `CreateOrderInput!`.',
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

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Compiles the client-facing names of body fields that differ from the graph, and reports names that do not fit. */
function compileBodyNames(
  { node, values: { names } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): ReadonlyMap<string, string> {
  const fields = Object.keys(type.getFields());
  const byField = new Map(names.map(({ field, as }) => [field, as]));
  for (const { field, as } of names) {
    if (!fields.includes(field)) report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${fields.join(', ')}.`);
    if (!NAME.test(as))
      report.at(node, `"${as}" is not a valid field name.`, 'Use letters, digits and underscores, and do not start with a digit.');
  }
  const shown = fields.map((field) => byField.get(field) ?? field);
  const twice = shown.find((name, index) => shown.indexOf(name) !== index);
  if (twice !== undefined || byField.size < names.length) {
    report.at(
      node,
      `Two fields of the body have the same name${twice === undefined ? '' : `, ${twice}`}.`,
      'List each field once in `names` and give each a unique name.',
    );
  }
  return byField;
}

const OF_LISTS = ['minItems', 'maxItems', 'uniqueItems'] as const;
const OF_TEXTS = ['notBlank', 'minLength', 'maxLength', 'format', 'values'] as const;
const OF_NUMBERS = ['minimum', 'maximum', 'decimals'] as const;

const PAIRS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

/** Compiles the limits of body fields and reports limits that do not fit. */
function compileBodyLimits(
  { node, values: { limits } }: DirectiveUse<DirectiveArguments['body']>,
  type: GraphQLInputObjectType,
  report: ProblemReport,
): readonly BodyLimit[] {
  const fields = type.getFields();
  const seen = new Set<string>();
  for (const limit of limits) {
    const { field } = limit;
    const input = fields[field];
    if (input === undefined) {
      report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${Object.keys(fields).join(', ')}.`);
      continue;
    }
    if (seen.has(field)) report.at(node, `The limits of ${field} are declared twice.`, 'Declare them in one entry of `limits`.');
    seen.add(field);
    const strange = strangeTo(input.type, limit);
    if (strange !== undefined)
      report.at(node, `The limit ${strange} does not apply to ${field}, which has the type ${input.type.toString()}.`, 'Remove the limit.');
    for (const [least, most] of PAIRS) {
      if ((limit[least] ?? -Infinity) > (limit[most] ?? Infinity))
        report.at(node, `\`${least}\` is greater than \`${most}\` for ${field}.`, 'Write the smaller number as the minimum.');
    }
  }
  return limits;
}

/** Returns the first limit that does not apply to the type of the field. */
function strangeTo(type: GraphQLInputType, limit: BodyLimit): string | undefined {
  const nullable = isNonNullType(type) ? type.ofType : type;
  const item = isListType(nullable) ? nullable.ofType : nullable;
  const leaf: GraphQLInputType = isNonNullType(item) ? item.ofType : item;
  const isNumber = isScalarType(leaf) && (leaf.name === 'Int' || leaf.name === 'Float');
  const isText = !isNumber && (isScalarType(leaf) ? leaf.name !== 'Boolean' : isEnumType(leaf));
  const strange = [
    ...(isNonNullType(type) ? (['notNull'] as const) : []),
    ...(isListType(nullable) ? [] : OF_LISTS),
    ...(isText ? [] : OF_TEXTS),
    ...(isNumber ? [] : OF_NUMBERS),
  ];
  return strange.find((name) => limit[name] != null && limit[name] !== false);
}
