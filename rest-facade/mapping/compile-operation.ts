import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { checkSelections } from './check-selections.ts';
import { compileBindings } from './compile-bindings.ts';
import { type Endpoint, compileEndpoints } from './compile-endpoints.ts';
import { compileResult } from './compile-result.ts';
import { useOf } from './directive-values.ts';
import { type Fragments, inlineFragments } from './inline-fragments.ts';
import type { ProblemReport } from './problem.ts';
import type { ResultMapping, Route } from './route.ts';
import { stripDirectives } from './strip-directives.ts';

/** A route with the place it was declared at, for messages about several of them. */
export interface DeclaredRoute {
  readonly route: Route;
  readonly endpoint: Endpoint;
}

/** The routes of one operation that has passed validation. */
export function compileOperation(
  schema: GraphQLSchema,
  definition: OperationDefinitionNode,
  fragments: Fragments,
  report: ProblemReport,
): readonly DeclaredRoute[] {
  const operation = inlineFragments(definition, fragments);
  const endpoints = compileEndpoints(operation, report);
  checkSelections(schema, operation, report);
  const result = compileResult(schema, operation, report);
  const stripped = stripDirectives(operation);
  return endpoints.flatMap((endpoint) => {
    const bindings = compileBindings(schema, operation, endpoint, report);
    if (result === undefined) return [];
    checkPage(operation, result, report);
    checkLocation(endpoint, result, report);
    const { method, template, status, needsCredentials, location } = endpoint;
    const operationName = operation.name?.value ?? '';
    const route: Route = {
      operationName,
      method,
      template,
      status,
      needsCredentials,
      bindings,
      result,
      operation: stripped,
      ...(location === undefined ? {} : { location }),
    };
    return [{ route, endpoint }];
  });
}

function checkPage(operation: OperationDefinitionNode, { isPage }: ResultMapping, report: ProblemReport): void {
  const paging = operation.variableDefinitions?.find((variable) => useOf(variable, 'page') !== undefined);
  if (isPage && paging === undefined) {
    report.at(
      operation,
      'The answer is a page, and nothing says which.',
      'Add variables with @page(role: SIZE), @page(role: OFFSET), @page(role: CURSOR).',
    );
  } else if (!isPage && paging !== undefined) {
    report.at(paging, 'There are page variables, and the answer is no page.', 'Mark the connection with @result(shape: PAGE).');
  }
}

function checkLocation({ node, location }: Endpoint, { isPage, shape }: ResultMapping, report: ProblemReport): void {
  for (const name of (location ?? []).filter((_, index) => index % 2 === 1)) {
    const field = isPage ? undefined : shape.get(name);
    if (field !== undefined && field.fields === undefined) continue;
    report.at(node, `The location needs {${name}}, which the result does not have.`, 'Select it in the result; it must be a plain value.');
  }
}
