import { type DirectiveNode, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, type RestMethod, useOf, usesOf } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { compileLifespan, type Lifespan } from './lifespan.ts';
import { type LocationTemplate, parsePathTemplate, type PathTemplate, toTurns } from './path-template.ts';

/** One `@endpoint` of an operation, read. */
export interface Endpoint {
  readonly node: DirectiveNode;
  readonly method: RestMethod;
  readonly template: PathTemplate;
  readonly status: number;
  readonly location?: LocationTemplate;
  readonly needsCredentials: boolean;
  readonly lifespan: Lifespan;
}

type EndpointUse = DirectiveUse<DirectiveArguments['endpoint']>;

const STATUSES = [200, 201, 202, 204];
const VERSION_SEGMENT = /^v\d+$/;

/** All endpoints of an operation that can be served; what is wrong with the others is reported. */
export function compileEndpoints(operation: OperationDefinitionNode, report: ProblemReport): readonly Endpoint[] {
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
  checkStatus(use, useOf(operation, 'noStore') !== undefined, report);
  const location = compileLocation(use, report);
  const lifespan = compileLifespan(use, report);
  const template = parsePathTemplate(path);
  if (typeof template === 'string') {
    report.at(use.node, `The path "${path}" cannot be served: ${template}.`, 'Write it like "/users/{user_id}/orders".');
    return [];
  }
  if (isDescriptionPath(path)) {
    report.at(use.node, `The path "${path}" stands for the description of all paths.`, 'Give the resource another name.');
  }
  const [first] = template;
  if (first !== undefined && 'literal' in first && VERSION_SEGMENT.test(first.literal)) {
    report.at(
      use.node,
      `The path "${path}" starts with a version.`,
      'Write `since` and `until`: the version stands before every path by itself.',
    );
  }
  return [
    { node: use.node, method, template, status, needsCredentials: signedIn, lifespan, ...(location === undefined ? {} : { location }) },
  ];
}

function checkMethod(operation: OperationDefinitionNode, { node, values: { method } }: EndpointUse, report: ProblemReport): void {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  if (method === 'GET' && isMutation) {
    report.at(node, 'GET cannot run a mutation: it must not change anything.', 'Use POST, PUT, PATCH or DELETE.');
  } else if (method !== 'GET' && !isMutation) {
    report.at(node, `${method} cannot run a ${operation.operation}.`, 'Use GET.');
  }
}

function checkStatus({ node, values: { method, status, location } }: EndpointUse, isNeverStored: boolean, report: ProblemReport): void {
  if (!STATUSES.includes(status)) {
    report.at(
      node,
      `${status} is not the status of a success.`,
      `Use one of ${STATUSES.join(', ')}; failures get theirs from what went wrong.`,
    );
  } else if (method === 'GET' && status !== 200) {
    report.at(node, `GET answers 200, not ${status}.`, 'Leave the status out.');
  } else if (status === 201 && typeof location !== 'string' && !isNeverStored) {
    // What nobody keeps may be shown here and nowhere else; without a location the new resource is that of the path (RFC 9110, section 15.3.2).
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
  return toTurns(template);
}

/** Where the description of the interface stands, and the page that shows it with all that is below; no resource may stand there. */
const DESCRIPTION_PATHS = /^\/(?:docs(?:\/|$)|openapi\.(?:json|yaml)$)/;

function isDescriptionPath(path: string): boolean {
  return DESCRIPTION_PATHS.test(path);
}
