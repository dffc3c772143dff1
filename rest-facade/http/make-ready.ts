import type { RouteTable } from '../compile/route-table.ts';
import { NOTHING_SHOWN } from '../compile/result/field-mask.ts';
import { type BindLimits, bindRequest } from '../request/bind-request.ts';
import { expectVersions } from '../request/expected-versions.ts';
import { negotiateRepresentation } from '../request/negotiate-representation.ts';
import { readPreconditions } from '../request/read-preconditions.ts';
import { canBeMinimal, readPrefer } from '../request/read-prefer.ts';
import { splitReadOnly } from '../request/split-read-only.ts';
import { createLinkWriter } from '../response/write-links.ts';
import type { RestGateway } from '../rest-gateway.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { readJsonBody, refuseBody } from './read-json-body.ts';
import type { ReadyRequest } from './ready-request.ts';
import { addressOf } from './request-address.ts';
import { stateQueryOf } from './state-query.ts';

export interface ReadyLimits extends BindLimits {
  /** @unit bytes */
  readonly maxBodyBytes: number;
  readonly gateway: Pick<RestGateway, 'budgetOf'>;
  /** As it stands in media types of our own. */
  readonly mediaTypeVendor: string;
}

/**
 * Reads all that a request says, in the order in which it may be refused: what it accepts, its body, its values, its conditions.
 *
 * @throws GatewayError 4xx
 */
export async function makeReady(admitted: AdmittedRequest, table: RouteTable, limits: ReadyLimits): Promise<ReadyRequest> {
  const { incoming, resource, route, principal, generation } = admitted;
  const { request } = incoming;
  const { headers } = request;
  const representation = negotiateRepresentation(route, resource, limits.mediaTypeVendor);
  const pay = (bytes: number): Promise<void> | undefined =>
    limits.gateway.budgetOf?.({ principal, headers, remoteAddress: request.socket.remoteAddress ?? '' })?.payBody(bytes);
  const taken = { version: resource.version, vendor: limits.mediaTypeVendor, maxBytes: limits.maxBodyBytes, pay };
  const sent = route.bindings.body === undefined ? refuseBody(request) : await readJsonBody(request, route.method, taken);
  const { body, readOnly } = splitReadOnly(sent, route, resource.match);
  const preferences = readPrefer(headers['prefer']);
  const isLenient = preferences.handling === 'lenient';
  const bound = bindRequest(
    route,
    { path: resource.match.parameters, query: resource.query, body, headers, isLenient, isCountUnwanted: preferences.count === 'none' },
    limits,
  );
  const isRead = route.method === 'GET';
  const preconditions = readPreconditions(headers, isRead);
  const condition = isRead ? undefined : expectVersions(route, preconditions);
  const isMinimal = preferences.returns === 'minimal' && canBeMinimal(route);
  const isLinked = representation.shape === 'links';
  const address = addressOf(admitted, bound);
  // Without the fields that no caller without credentials may see, the representation is the same for all of them, and public.
  const anonymous = isRead && principal.kind === 'anonymous' ? table.anonymousFieldsOf(route, bound.fields) : undefined;
  const shown = { fields: isMinimal ? NOTHING_SHOWN : (anonymous ?? bound.fields), isUncounted: bound.isUncounted, isLinked };
  const document = table.documentOf(route, shown);
  const asked = { route, principal, document, bound, representation, preconditions, condition };
  const stateQuery = stateQueryOf(asked, resource.match, table);
  return {
    incoming,
    route,
    version: resource.version,
    principal,
    representation,
    preferences,
    isMinimal,
    isAnonymousView: anonymous !== undefined,
    bound,
    readRoute: isRead ? undefined : resource.match.routes.get('GET'),
    pathParameters: resource.match.parameters,
    readOnly,
    generation,
    document,
    printedItems: isLinked ? undefined : table.printedItemsOf(document),
    address,
    writeLinks: isLinked ? createLinkWriter({ address, version: resource.version, principal, table }) : undefined,
    preconditions,
    condition,
    stateQuery,
  };
}
