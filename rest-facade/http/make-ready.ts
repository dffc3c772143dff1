import type { RouteTable } from '../mapping/compile-route-table.ts';
import { type BindLimits, bindRequest } from '../request/bind-request.ts';
import { expectVersions } from '../request/expected-versions.ts';
import { negotiateRepresentation } from '../request/negotiate-representation.ts';
import { readPreconditions } from '../request/read-preconditions.ts';
import { canBeMinimal, readPrefer } from '../request/read-prefer.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { createLinkWriter } from '../response/write-links.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { readJsonBody, refuseBody } from './read-json-body.ts';
import type { ReadyRequest } from './ready-request.ts';
import { addressOf } from './request-address.ts';
import { NOTHING_SHOWN, stateQueryOf } from './state-query.ts';

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
  const body = route.bindings.body === undefined ? refuseBody(request) : await readJsonBody(request, route.method, taken);
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
  const shown = { fields: isMinimal ? NOTHING_SHOWN : bound.fields, isUncounted: bound.isUncounted, isLinked };
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
    bound,
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
