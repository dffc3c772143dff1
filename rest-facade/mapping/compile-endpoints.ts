import { type DirectiveNode, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, type RestMethod, usesOf } from './directive-values.ts';
import { type PathTemplate, parsePathTemplate } from './path-template.ts';
import type { ProblemReport } from './problem.ts';
import type { LocationTemplate } from './route.ts';

/** One `@endpoint` of an operation, read. */
export interface Endpoint {
  readonly node: DirectiveNode;
  readonly method: RestMethod;
  readonly template: PathTemplate;
  readonly status: number;
  readonly location?: LocationTemplate;
  readonly needsCredentials: boolean;
}

type EndpointUse = DirectiveUse<DirectiveArguments['endpoint']>;

const STATUSES = [200, 201, 202, 204];

/** All endpoints of an operation that can be served; what is wrong with the others is reported. */
export function compileEndpoints(operation: OperationDefinitionNode, report: ProblemReport): readonly Endpoint[] {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    report.at(operation, 'A subscription cannot be answered by a REST endpoint.', 'REST documents hold queries and mutations.');
    return [];
  }
  if (operation.name === undefined) {
    report.at(
      operation,
      'An operation of a REST document needs a name.',
      'Logs and the API description call the endpoint by it: `query GetOrder(…)`.',
    );
    return [];
  }
  const uses = usesOf(operation, 'endpoint');
  if (uses.length === 0) {
    const hint = 'Add `@endpoint(method: GET, path: "/…")`, or move the operation out of the directory.';
    report.at(operation, `${operation.name.value} has no endpoint.`, hint);
  }
  const odd = uses.find(({ values }) => values.method !== uses[0]?.values.method);
  if (odd !== undefined) report.at(odd.node, 'All endpoints of an operation have the same method.', 'Write one operation for each method.');
  return uses.flatMap((use) => compileEndpoint(operation, use, report));
}

function compileEndpoint(operation: OperationDefinitionNode, use: EndpointUse, report: ProblemReport): readonly Endpoint[] {
  const { method, path, status, signedIn } = use.values;
  checkMethod(operation, use, report);
  checkStatus(use, report);
  const location = compileLocation(use, report);
  const template = parsePathTemplate(path);
  if (typeof template === 'string') {
    report.at(use.node, `The path "${path}" cannot be served: ${template}.`, 'Write it like "/users/{user_id}/orders".');
    return [];
  }
  return [{ node: use.node, method, template, status, needsCredentials: signedIn, ...(location === undefined ? {} : { location }) }];
}

function checkMethod(operation: OperationDefinitionNode, { node, values: { method } }: EndpointUse, report: ProblemReport): void {
  const isQuery = operation.operation === OperationTypeNode.QUERY;
  if (method === 'GET' && !isQuery) {
    report.at(node, 'GET cannot run a mutation: it must not change anything.', 'Use POST, PUT, PATCH or DELETE.');
  } else if (method !== 'GET' && isQuery) {
    report.at(node, `${method} cannot run a query.`, 'Use GET.');
  }
}

function checkStatus({ node, values: { method, status, location } }: EndpointUse, report: ProblemReport): void {
  if (!STATUSES.includes(status)) {
    report.at(
      node,
      `${status} is not the status of a success.`,
      `Use one of ${STATUSES.join(', ')}; failures get theirs from what went wrong.`,
    );
  } else if (method === 'GET' && status !== 200) {
    report.at(node, `GET answers 200, not ${status}.`, 'Leave the status out.');
  } else if (status === 201 && typeof location !== 'string') {
    report.at(node, '201 tells where the new resource is.', 'Add `location: "/…/{id}"` with fields of the result in braces.');
  } else if (status !== 201 && typeof location === 'string') {
    report.at(node, `A location belongs to 201, not to ${status}.`, 'Add `status: 201`, or leave the location out.');
  }
}

function compileLocation({ node, values: { location } }: EndpointUse, report: ProblemReport): LocationTemplate | undefined {
  if (typeof location !== 'string') return undefined;
  const template = parsePathTemplate(location);
  if (typeof template === 'string') {
    report.at(
      node,
      `The location "${location}" is no path: ${template}.`,
      'Write it like "/orders/{id}", with fields of the result in braces.',
    );
    return undefined;
  }
  const parts: string[] = [''];
  for (const segment of template) {
    if ('literal' in segment) parts.push(`${parts.pop() ?? ''}/${segment.literal}`);
    else parts.push(`${parts.pop() ?? ''}/`, segment.parameter, '');
  }
  return parts;
}
