import { type OperationDefinitionNode, OperationTypeNode, type VariableDefinitionNode } from 'graphql';
import { compileBindings } from './bindings/bindings.ts';
import { useOf } from './documents/directives.ts';
import { stripDirectives, withoutInternal, withoutOptIn } from './documents/prune-operation.ts';
import { type Fragments, inlineFragments } from './documents/selections.ts';
import { compileEndpoints, type Endpoint } from './endpoint/endpoint.ts';
import { addLinkFields } from './links/add-link-fields.ts';
import { linksIn } from './links/link-targets.ts';
import type { ProblemReport } from './mapping-problems.ts';
import type { RestRoute } from './rest-route.ts';
import { checkSelections } from './result/check-selections.ts';
import { COUNT_PARAMETER } from './result/collection.ts';
import { hasOptIn } from './result/field-mask.ts';
import { compileResult, type ResultMapping } from './result/result-mapping.ts';
import type { MappedGraph } from './result/validators.ts';

/** A route with its declaration, for messages about several routes. */
export interface DeclaredRoute {
  readonly route: RestRoute;
  readonly endpoint: Endpoint;
}

/** Compiles the routes of a validated operation. */
export function compileOperationRoutes(
  graph: MappedGraph,
  definition: OperationDefinitionNode,
  fragments: Fragments,
  report: ProblemReport,
): readonly DeclaredRoute[] {
  const { schema } = graph;
  const operation = inlineFragments(definition, fragments);
  const endpoints = compileEndpoints(operation, report);
  checkSelections(schema, operation, report);
  const result = compileResult(graph, operation, report);
  const isLinked = result !== undefined && linksIn(result.shape).length > 0;
  const toRun = (shown: OperationDefinitionNode): Pick<RestRoute, 'operation' | 'linked'> => {
    const linked = addLinkFields(schema, shown, report);
    const toQuery = (all: OperationDefinitionNode): OperationDefinitionNode =>
      stripDirectives(result === undefined ? all : withoutInternal(all, result));
    return { operation: toQuery(shown), ...(isLinked ? { linked: toQuery(linked) } : {}) };
  };
  const all = toRun(operation);
  const own = result !== undefined && hasOptIn(result.shape) ? { ...toRun(withoutOptIn(operation)), optIn: all } : all;
  return endpoints.flatMap((endpoint) => {
    const bound = compileBindings(schema, operation, endpoint, report);
    if (result === undefined) return [];
    const bindings =
      result.collection?.hasTotal === true ? { ...bound, parameters: new Set([...bound.parameters, COUNT_PARAMETER]) } : bound;
    checkPage(operation, result, report);
    checkNothing(endpoint, operation, result, report);
    checkLocation(endpoint, result, report);
    const { method, template, status, needsCredentials, lifespan, location } = endpoint;
    const operationName = operation.name?.value ?? '';
    const route: RestRoute = {
      operationName,
      method,
      template,
      status,
      isStream: operation.operation === OperationTypeNode.SUBSCRIPTION,
      needsCredentials,
      isNeverStored: useOf(operation, 'noStore') !== undefined,
      lifespan,
      bindings,
      result,
      declared: definition,
      ...own,
      ...(location === undefined ? {} : { location }),
    };
    return [{ route, endpoint }];
  });
}

/**
 * Checks that the collection returns what clients need to request a page: page numbers need a total or `pageInfo`, cursors need `pageInfo`.
 */
function checkPage(operation: OperationDefinitionNode, { isPage, collection }: ResultMapping, report: ProblemReport): void {
  const pagings = operation.variableDefinitions?.filter((variable) => useOf(variable, 'page') !== undefined) ?? [];
  const roleOf = (variable: VariableDefinitionNode) => useOf(variable, 'page')?.values.role;
  const [paging] = pagings;
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && collection !== undefined) {
    report.at(operation, 'A subscription cannot return a page or a list.', 'Put @result on the object that the event contains.');
  }
  for (const variable of pagings) {
    if (roleOf(variable) === 'CURSOR' && collection?.hasPageInfo === false)
      report.at(
        variable,
        `$${variable.variable.name.value} has the page role CURSOR, but the page does not select the cursor of the next page.`,
        'Select `pageInfo { hasNextPage endCursor }`.',
      );
    if (roleOf(variable) === 'OFFSET' && isPage && collection?.hasTotal === false)
      report.at(
        variable,
        `$${variable.variable.name.value} has the page role OFFSET, but the page does not select the total.`,
        'Select `totalCount`, or remove the variable with the role OFFSET to paginate only by cursor.',
      );
  }
  if (isPage && paging === undefined) {
    report.at(
      operation,
      'The result is a page, but the operation has no page variables.',
      'Add variables with @page(role: SIZE) and with @page(role: OFFSET), @page(role: CURSOR), or both.',
    );
  } else if (collection === undefined && paging !== undefined) {
    report.at(
      paging,
      'The operation has page variables, but the result is not a page.',
      'Mark the connection with @result(shape: PAGE), or remove the variables.',
    );
  }
}

/** Checks that an endpoint without shown fields responds with 204. */
function checkNothing(
  { node, status, method }: Endpoint,
  operation: OperationDefinitionNode,
  { shape }: ResultMapping,
  report: ProblemReport,
): void {
  if (shape.size > 0 || status === 204) return;
  const hint = method === 'GET' ? 'Put @result on an object.' : 'Write `status: 204`, or select a field in the result.';
  report.at(node, `${operation.name?.value ?? ''} has the status ${status}, but its result shows no field.`, hint);
}

function checkLocation({ node, location }: Endpoint, { collection, shape }: ResultMapping, report: ProblemReport): void {
  for (const name of (location ?? []).filter((_, index) => index % 2 === 1)) {
    const field = collection === undefined ? shape.get(name) : undefined;
    if (field !== undefined && field.fields === undefined) continue;
    report.at(node, `The location uses {${name}}, which is not a scalar field of the result.`, 'Select the field in the result.');
  }
}
