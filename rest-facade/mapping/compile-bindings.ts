import {
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { compileJsonReader } from '../request/json-reader.ts';
import { VERSION_PARAMETER } from '../request/choose-version.ts';
import { compileTextReader } from '../request/text-reader.ts';
import { withLimits } from '../request/body-limits.ts';
import { compileBodyLimits } from './compile-body-limits.ts';
import { compileBodyNames } from './compile-body-names.ts';
import type { BodyBinding, HeaderBinding, PathBinding, QueryBinding, RequestBindings, SortBinding } from './bindings.ts';
import { checkVariables } from './check-variables.ts';
import type { Endpoint } from './compile-endpoints.ts';
import { compileIfMatch } from './compile-if-match.ts';
import { compilePaging } from './compile-paging.ts';
import { compileSort } from './compile-sort.ts';
import { useOf } from './directive-values.ts';
import { parametersOf } from './path-template.ts';
import type { ProblemReport } from './problem.ts';
import { reportNoId } from './report-no-id.ts';
import { type TypedVariable, readVariables } from './typed-variable.ts';

/** Parameters that every answer with a body understands. */
const COMMON_PARAMETERS = ['fields'];

/** Says where each variable of the operation comes from; what does not fit is reported. */
export function compileBindings(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  endpoint: Endpoint,
  report: ProblemReport,
): RequestBindings {
  const variables = readVariables(schema, operation);
  checkVariables(variables, endpoint, report);
  const page = compilePaging(variables, report);
  const sort = compileSorting(variables, report);
  const body = compileBody(variables, endpoint, report);
  const query = compileQuery(variables, report);
  const ifMatch = compileIfMatch(variables, endpoint, report);
  const keyVariable = variables.find(({ node }) => useOf(node, 'idempotencyKey') !== undefined);
  const parameters = new Set([
    ...query.map(({ name }) => name),
    ...(sort === undefined ? [] : ['sort']),
    ...(page === undefined ? [] : ['size', 'limit']),
    ...(page?.offset === undefined ? [] : ['page']),
    ...(page?.cursor === undefined ? [] : ['first', 'after']),
    ...(endpoint.status === 204 ? [] : COMMON_PARAMETERS),
    VERSION_PARAMETER,
  ]);
  return {
    path: compilePath(variables, endpoint, report),
    query,
    headers: compileHeaders(variables, report),
    parameters,
    ...(page === undefined ? {} : { page }),
    ...(sort === undefined ? {} : { sort }),
    ...(body === undefined ? {} : { body }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(keyVariable === undefined ? {} : { idempotencyKey: { variable: keyVariable.name, isRequired: keyVariable.isRequired } }),
  };
}

function compilePath(variables: readonly TypedVariable[], endpoint: Endpoint, report: ProblemReport): readonly PathBinding[] {
  return parametersOf(endpoint.template).flatMap((name) => {
    const variable = variables.find(({ node }) => useOf(node, 'in')?.values.path === name);
    if (variable === undefined) {
      report.at(endpoint.node, `Nothing reads the path parameter {${name}}.`, `Give one variable \`@in(path: "${name}")\`.`);
      return [];
    }
    if (!variable.isRequired || !isLeafType(variable.nullable)) {
      report.at(
        variable.node,
        `$${variable.name} is read from the path, so it must be one value that is always there.`,
        'Use a type like `ID!`.',
      );
      return [];
    }
    return [{ variable: variable.name, name, read: compileTextReader(variable.nullable, isInteger(variable, variable.nullable, report)) }];
  });
}

function compileQuery(variables: readonly TypedVariable[], report: ProblemReport): readonly QueryBinding[] {
  return variables.flatMap((variable) => {
    const name = useOf(variable.node, 'in')?.values.query;
    if (typeof name !== 'string') return [];
    const isList = isListType(variable.nullable);
    const item: GraphQLInputType = isListType(variable.nullable) ? variable.nullable.ofType : variable.nullable;
    const leaf = isNonNullType(item) ? item.ofType : item;
    if (!isLeafType(leaf)) {
      const hint = 'Read scalars, enums and lists of them from the query string; objects come in the body.';
      report.at(variable.node, `$${variable.name} is no value that a parameter can hold.`, hint);
      return [];
    }
    const read = compileTextReader(leaf, isInteger(variable, leaf, report));
    return [{ variable: variable.name, name, read, isList, isRequired: variable.isRequired }];
  });
}

function compileHeaders(variables: readonly TypedVariable[], report: ProblemReport): readonly HeaderBinding[] {
  return variables.flatMap((variable) => {
    const name = useOf(variable.node, 'in')?.values.header;
    if (typeof name !== 'string') return [];
    if (!isLeafType(variable.nullable)) {
      report.at(variable.node, `$${variable.name} is no value that a header can hold.`, 'Read one scalar or enum from a header.');
      return [];
    }
    const read = compileTextReader(variable.nullable, isInteger(variable, variable.nullable, report));
    return [{ variable: variable.name, name: name.toLowerCase(), read, isRequired: variable.isRequired }];
  });
}

function isInteger({ node, name }: TypedVariable, type: GraphQLInputType, report: ProblemReport): boolean {
  const use = useOf(node, 'integer');
  if (use === undefined) return false;
  if (isLeafType(type) && type.name === 'ID') return true;
  reportNoId(use.node, `$${name}`, report);
  return false;
}

function compileSorting(variables: readonly TypedVariable[], report: ProblemReport): SortBinding | undefined {
  const [variable, second] = variables.filter(({ node }) => useOf(node, 'sort') !== undefined);
  if (second !== undefined)
    report.at(second.node, 'An operation has one @sort.', 'Leave it on the variable of the list that is the answer.');
  return variable && compileSort(variable, report);
}

function compileBody(variables: readonly TypedVariable[], { method, node }: Endpoint, report: ProblemReport): BodyBinding | undefined {
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
