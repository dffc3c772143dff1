import { type GraphQLInputType, type GraphQLSchema, isLeafType, isListType, isNonNullType, type OperationDefinitionNode } from 'graphql';
import { compileTextReader } from '../request/text-reader.ts';
import type { HeaderBinding, PathBinding, QueryBinding, RequestBindings } from './bindings.ts';
import { checkVariables } from './check-variables.ts';
import { compileBody } from './compile-body-names.ts';
import type { Endpoint } from './compile-endpoints.ts';
import { compileIfMatch } from './compile-if-match.ts';
import { compilePaging } from './compile-paging.ts';
import { compileSorting } from './compile-sort.ts';
import { VERSION_PARAMETER } from './compile-versions.ts';
import { useOf } from './directive-values.ts';
import { parametersOf } from './path-template.ts';
import type { ProblemReport } from './problem.ts';
import { reportNoId } from './report-no-id.ts';
import { readVariables, type TypedVariable } from './typed-variable.ts';

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
