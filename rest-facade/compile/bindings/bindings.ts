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

/** Name of the query parameter that selects the version of the interface. */
export const VERSION_PARAMETER = 'version';

/** Maps the variables of an operation to parts of the HTTP request. */
export interface RequestBindings {
  /** Parameters of the path, in the order of the template. */
  readonly path: readonly PathBinding[];
  readonly query: readonly QueryBinding[];
  readonly headers: readonly HeaderBinding[];
  readonly page?: PageBinding;
  readonly sort?: SortBinding;
  readonly body?: BodyBinding;
  readonly idempotencyKey?: { readonly variable: string; readonly isRequired: boolean };
  readonly ifMatch?: VersionBinding;
  /** All names that the query string may contain. */
  readonly parameters: ReadonlySet<string>;
}

interface PathBinding {
  readonly variable: string;
  readonly name: string;
  readonly read: TextReader;
}

export interface QueryBinding extends PathBinding {
  readonly isRequired: boolean;
  /** Accepts several values, either separated by commas or as a repeated parameter. */
  readonly isList: boolean;
}

/** A variable that is read from a header. `name` is in lower case. */
export interface HeaderBinding extends PathBinding {
  readonly isRequired: boolean;
}

/** Query parameters that every endpoint with a response body supports. */
const COMMON_PARAMETERS = ['fields'];

/** Compiles the source of each variable of the operation and reports variables that do not fit. */
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
  const body = compileBody({ schema, operation, variables }, endpoint, report);
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
      report.at(endpoint.node, `No variable reads the path parameter {${name}}.`, `Add \`@in(path: "${name}")\` to one variable.`);
      return [];
    }
    if (!variable.isRequired || !isLeafType(variable.nullable)) {
      report.at(
        variable.node,
        `$${variable.name} is read from the path, so it must be a single non-null scalar or enum.`,
        'Use a non-null type such as `ID!`.',
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
      const hint = 'Only scalars, enums and lists of them can be read from the query string. Read objects from the body with @body.';
      report.at(variable.node, `$${variable.name} has a type that a query parameter cannot hold.`, hint);
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
      report.at(variable.node, `$${variable.name} has a type that a header cannot hold.`, 'Use a single scalar or enum.');
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
