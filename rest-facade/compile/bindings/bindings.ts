import { type GraphQLInputType, type GraphQLSchema, isLeafType, isListType, isNonNullType, type OperationDefinitionNode } from 'graphql';
import { useOf } from '../documents/directives.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { parametersOf } from '../endpoint/path-template.ts';
import { type ProblemReport, reportNoId } from '../mapping-problems.ts';
import { type BodyBinding, compileBody } from './body.ts';
import { compileIfMatch, type VersionBinding } from './if-match.ts';
import { compilePaging, type PageBinding } from './paging.ts';
import { compileSorting, type SortBinding } from './sort.ts';
import { compileTextReader, type TextReader } from './text-reader.ts';
import { checkVariables, readTypedVariables, type TypedVariable } from './variables.ts';

/** Parameter that names the version of the interface. */
export const VERSION_PARAMETER = 'version';

/** Where each variable of an operation comes from. */
export interface RequestBindings {
  /** In the order of the template. */
  readonly path: readonly PathBinding[];
  readonly query: readonly QueryBinding[];
  readonly headers: readonly HeaderBinding[];
  readonly page?: PageBinding;
  readonly sort?: SortBinding;
  readonly body?: BodyBinding;
  readonly idempotencyKey?: { readonly variable: string; readonly isRequired: boolean };
  readonly ifMatch?: VersionBinding;
  /** Every name the query string may have. */
  readonly parameters: ReadonlySet<string>;
}

interface PathBinding {
  readonly variable: string;
  readonly name: string;
  readonly read: TextReader;
}

export interface QueryBinding extends PathBinding {
  readonly isRequired: boolean;
  /** Several values: separated by commas, or the parameter repeated. */
  readonly isList: boolean;
}

/** Read from a header, whose name is in lower case. */
export interface HeaderBinding extends PathBinding {
  readonly isRequired: boolean;
}

/** Parameters that every answer with a body understands. */
const COMMON_PARAMETERS = ['fields'];

/** Says where each variable of the operation comes from; what does not fit is reported. */
export function compileBindings(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  endpoint: Endpoint,
  report: ProblemReport,
): RequestBindings {
  const variables = readTypedVariables(schema, operation);
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
