import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType, isNonNullType, type OperationDefinitionNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { type ProblemReport, reportNoId } from '../mapping-problems.ts';
import { type BodyField, composeBody } from './body-fields.ts';
import { type BodyLimit, withLimits } from './body-limits.ts';
import { compileBodyLimits, compileFieldLimits } from './compile-limits.ts';
import { compileJsonReader, type ReportIssue } from './json-reader.ts';
import type { TypedVariable } from './variables.ts';

/** The representation of the fields of a body in requests. */
export interface BodyWriting {
  /** Fields of type ID that are JSON integers. */
  readonly integers: readonly string[];
  /** Client-facing names of fields that differ from the graph. */
  readonly names: readonly { readonly field: string; readonly as: string }[];
  /** Limits that are stricter than the types of the fields. */
  readonly limits: readonly BodyLimit[];
}

export interface BodyBinding {
  /** Input type of the body. Its fields are the variables with `@body(field: …)`, or it is the type of the variable with `@body`. */
  readonly type: GraphQLInputObjectType;
  readonly writing: BodyWriting;
  /** Client-facing names of the members that the body accepts. */
  readonly members: ReadonlySet<string>;
  /** Reads a body, sets the variables, and reports every error. */
  readonly bind: (body: unknown, variables: Record<string, unknown>, report: ReportIssue) => void;
}

type BodyUse = DirectiveUse<DirectiveArguments['body']>;

/** A variable with `@body`. */
interface BodyVariable extends TypedVariable {
  readonly use: BodyUse;
}

/** Compiles the variables with `@body`: one variable that is the whole body, or one for each field of it. */
export function compileBody(
  { schema, operation, variables }: BodySource,
  endpoint: Endpoint,
  report: ProblemReport,
): BodyBinding | undefined {
  const sources = variables.flatMap((variable): readonly BodyVariable[] => {
    const use = useOf(variable.node, 'body');
    return use === undefined ? [] : [{ ...variable, use }];
  });
  const { method, node } = endpoint;
  const [first] = sources;
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (first === undefined) {
    // A POST operation may need nothing but its path.
    if (takesBody && method !== 'POST')
      report.at(
        node,
        `${method} has a request body, but no variable reads it.`,
        'Add `@body` to the variable that is the input object, or `@body(field: "…")` to each variable that is one field of the body.',
      );
    return undefined;
  }
  if (!takesBody) report.at(first.node, `${method} has no request body.`, 'Read the value from the path or the query string with @in.');
  const fields = sources.flatMap((source): readonly BodyField[] => {
    const { field } = source.use.values;
    return typeof field === 'string' ? [{ ...source, field }] : [];
  });
  const [whole, second] = sources.filter(({ use }) => typeof use.values.field !== 'string');
  const isReplacement = method === 'PUT';
  if (whole === undefined) {
    const name = operation.name?.value ?? '';
    return readFields(composeBody({ schema, operation, name }, fields, report), { fields, isReplacement }, report);
  }
  const [field] = fields;
  if (field !== undefined) {
    report.at(
      whole.use.node,
      `$${whole.name} is the whole body, but $${field.name} is its field "${field.field}".`,
      `Write \`@body(field: "${whole.name}")\` to make $${whole.name} a field of the body too, or keep only one variable with @body.`,
    );
    return undefined;
  }
  if (second !== undefined)
    report.at(
      second.node,
      'Only one variable can be the whole body.',
      'Name the field of each variable, for example `@body(field: "title")`, or combine the variables into one input type.',
    );
  return readWhole(whole, isReplacement, report);
}

/** The operation whose body is compiled. */
interface BodySource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly variables: readonly TypedVariable[];
}

/** Reads a body whose fields are variables. */
function readFields(
  type: GraphQLInputObjectType,
  { fields, isReplacement }: { readonly fields: readonly BodyField[]; readonly isReplacement: boolean },
  report: ProblemReport,
): BodyBinding {
  const names = new Map(fields.flatMap(({ name, field }) => (name === field ? [] : [[name, field] as const])));
  const integers = fields.filter(({ node }) => useOf(node, 'integer') !== undefined);
  for (const { node, name, nullable } of integers) if (nullable.toString() !== 'ID') reportNoId(node, `$${name}`, report);
  const limits = fields.flatMap((variable) => compileFieldLimits(variable, report));
  const read = compileReader(type, { integers: integers.map(({ name }) => name), names, limits, isReplacement });
  return { ...read, bind: (body, variables, onIssue) => void Object.assign(variables, read.read(body, '', onIssue)) };
}

/** Reads a body that is the value of one variable. */
function readWhole({ node, name, nullable: type, isRequired, use }: BodyVariable, isReplacement: boolean, report: ProblemReport) {
  if (!isRequired || !isInputObjectType(type)) {
    report.at(
      node,
      `$${name} is the request body, so its type must be a non-null input object.`,
      `Use a type such as \`CreateOrderInput!\`, or write \`@body(field: "${name}")\` to read the variable from one field of the body.`,
    );
    return undefined;
  }
  const { integers } = use.values;
  const names = compileBodyNames(use, type, report);
  for (const field of integers) {
    const fieldType = type.getFields()[field]?.type;
    if (fieldType === undefined)
      report.at(node, `${type.name} has no field ${field}.`, `Its fields are ${Object.keys(type.getFields()).join(', ')}.`);
    else if ((isNonNullType(fieldType) ? fieldType.ofType : fieldType).toString() !== 'ID') reportNoId(node, field, report);
  }
  const limits = compileBodyLimits(use, type, report);
  const { read, ...binding } = compileReader(type, { integers, names, limits, isReplacement });
  const bind: BodyBinding['bind'] = (body, variables, onIssue) => void (variables[name] = read(body, '', onIssue));
  return { ...binding, bind };
}

interface ReaderOptions {
  readonly integers: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly limits: readonly BodyLimit[];
  readonly isReplacement: boolean;
}

function compileReader(type: GraphQLInputObjectType, { integers, names, limits, isReplacement }: ReaderOptions) {
  const read = compileJsonReader(type, { integers: new Set(integers), names, isReplacement });
  return {
    type,
    writing: { integers, names: [...names].map(([field, as]) => ({ field, as })), limits },
    members: new Set(Object.keys(type.getFields()).map((field) => names.get(field) ?? field)),
    read: withLimits(read, limits, names),
  };
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Compiles the client-facing names of body fields that differ from the graph, and reports names that do not fit. */
function compileBodyNames({ node, values: { names } }: BodyUse, type: GraphQLInputObjectType, report: ProblemReport) {
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
