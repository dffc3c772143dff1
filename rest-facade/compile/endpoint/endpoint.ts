import { type DirectiveNode, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, type RestMethod, useOf, usesOf } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import { compileLifespan, type Lifespan } from './lifespan.ts';
import { type LocationTemplate, parsePathTemplate, type PathTemplate, toTurns } from './path-template.ts';
import { reservationOf } from './reserved-paths.ts';

/** One compiled `@endpoint` of an operation. */
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

/** Compiles the endpoints of an operation and reports the invalid ones. */
export function compileEndpoints(operation: OperationDefinitionNode, report: ProblemReport): readonly Endpoint[] {
  if (operation.name === undefined) {
    report.at(
      operation,
      'An operation in a REST document needs a name.',
      'Logs and the API description identify the endpoint by this name. Write, for example, `query GetOrder(…)`.',
    );
    return [];
  }
  const uses = usesOf(operation, 'endpoint');
  if (uses.length === 0) {
    const hint = 'Add `@endpoint(method: GET, path: "/…")`, or move the operation out of the directory.';
    report.at(operation, `${operation.name.value} has no endpoint.`, hint);
  }
  const odd = uses.find(({ values }) => values.method !== uses[0]?.values.method);
  if (odd !== undefined)
    report.at(odd.node, 'All endpoints of an operation must have the same method.', 'Write one operation for each method.');
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
    report.at(use.node, `The path "${path}" is invalid: ${template}.`, 'Use a path such as "/users/{user_id}/orders".');
    return [];
  }
  const reason = reservationOf(path);
  if (reason !== undefined) {
    report.at(use.node, `The path "${path}" is reserved for ${reason}.`, 'Choose another path for the resource.');
  }
  const [first] = template;
  if (first !== undefined && 'literal' in first && VERSION_SEGMENT.test(first.literal)) {
    report.at(
      use.node,
      `The path "${path}" starts with a version.`,
      'Remove the version from the path and use `since` and `until`. The gateway adds the version prefix to every path.',
    );
  }
  return [
    { node: use.node, method, template, status, needsCredentials: signedIn, lifespan, ...(location === undefined ? {} : { location }) },
  ];
}

function checkMethod(operation: OperationDefinitionNode, { node, values: { method } }: EndpointUse, report: ProblemReport): void {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  if (method === 'GET' && isMutation) {
    report.at(node, 'GET cannot run a mutation, because GET is a safe method.', 'Use POST, PUT, PATCH or DELETE.');
  } else if (method !== 'GET' && !isMutation) {
    report.at(node, `${method} cannot run a ${operation.operation}.`, 'Use GET.');
  }
}

function checkStatus({ node, values: { method, status, location } }: EndpointUse, isNeverStored: boolean, report: ProblemReport): void {
  if (!STATUSES.includes(status)) {
    report.at(
      node,
      `${status} is not a valid success status.`,
      `Use one of ${STATUSES.join(', ')}. The gateway chooses the status of error responses.`,
    );
  } else if (method === 'GET' && status !== 200) {
    report.at(node, `GET must respond with 200, not ${status}.`, 'Remove the argument `status`.');
  } else if (status === 201 && typeof location !== 'string' && !isNeverStored) {
    // A response that is never stored may be shown only here. Without a location, the new resource is that of the path (RFC 9110, section
    // 15.3.2).
    report.at(
      node,
      'Status 201 requires the location of the created resource.',
      'Add `location: "/…/{id}"`, with fields of the result in braces.',
    );
  } else if (status !== 201 && typeof location === 'string') {
    report.at(node, `A location requires status 201, but the status is ${status}.`, 'Write `status: 201`, or remove the location.');
  }
}

function compileLocation({ node, values: { location } }: EndpointUse, report: ProblemReport): LocationTemplate | undefined {
  if (typeof location !== 'string') return undefined;
  const template = parsePathTemplate(location);
  if (typeof template === 'string') {
    report.at(
      node,
      `The location "${location}" is not a valid path: ${template}.`,
      'Use a path such as "/orders/{id}", with fields of the result in braces.',
    );
    return undefined;
  }
  return toTurns(template);
}
