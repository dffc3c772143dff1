import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { hasBody, readContentType } from '../../gateway/platform/http/request/content-type.ts';
import { refuseForgeable } from '../../gateway/platform/http/request/csrf.ts';
import { parseJsonInTurn } from '../../gateway/platform/http/request/parse-json.ts';
import { readBody } from '../../gateway/platform/http/request/read-body.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import { NO_FIELDS } from '../compile/result/field-mask.ts';
import { readPreconditions } from '../request/conditional/preconditions.ts';
import { stateQueryOf } from '../request/conditional/state-query.ts';
import { readWriteCondition } from '../request/conditional/write-condition.ts';
import { findDuplicateKey } from '../request/find-duplicate-key.ts';
import { type BodyVersion, requireBodyType } from '../request/negotiation/body-types.ts';
import { negotiateRepresentation } from '../request/negotiation/content-negotiation.ts';
import { canBeMinimal, readPrefer } from '../request/negotiation/prefer.ts';
import { type BindLimits, bindRequest } from '../request/parameters/bind-request.ts';
import { splitReadOnly } from '../request/read-only-members.ts';
import { addressOf } from '../request/request-address.ts';
import type { AuthorizedRequest, RestRequest } from '../request/request-context.ts';
import type { RestGateway } from '../rest-gateway.ts';

export interface ReadRequestOptions extends BindLimits {
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
export async function readRestRequest(authorized: AuthorizedRequest, limits: ReadRequestOptions): Promise<RestRequest> {
  const { incoming, target, resource, route, principal, generation, table } = authorized;
  const { request } = incoming;
  const { headers } = request;
  const representation = negotiateRepresentation(route, resource, limits.mediaTypeVendor);
  const pay = (bytes: number): Promise<void> | undefined =>
    limits.gateway.budgetOf?.({ principal, headers, remoteAddress: request.socket.remoteAddress ?? '' })?.payBody(bytes);
  const taken = { version: resource.version, vendor: limits.mediaTypeVendor, maxBytes: limits.maxBodyBytes, pay };
  const sent = route.bindings.body === undefined ? rejectBody(request) : await readRequestBody(request, route.method, taken);
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
  const condition = isRead ? undefined : readWriteCondition(route, preconditions);
  const isMinimal = preferences.returns === 'minimal' && canBeMinimal(route);
  const isLinked = representation.shape === 'links';
  const address = addressOf(authorized, bound);
  // Without the fields that no caller without credentials may see, the representation is the same for all of them, and public.
  const anonymous = isRead && principal.kind === 'anonymous' ? table.anonymousFieldsOf(route, bound.fields) : undefined;
  const shown = { fields: isMinimal ? NO_FIELDS : (anonymous ?? bound.fields), isUncounted: bound.isUncounted, isLinked };
  const document = table.documentOf(route, shown);
  const asked = { route, principal, document, bound, representation, preconditions, condition };
  const stateQuery = stateQueryOf(asked, resource.match, table);
  return {
    incoming,
    target,
    resource,
    route,
    principal,
    generation,
    table,
    representation,
    preferences,
    isMinimal,
    isAnonymousView: anonymous !== undefined,
    bound,
    readOnly,
    document,
    printedItems: isLinked ? undefined : table.printedItemsOf(document),
    address,
    preconditions,
    condition,
    stateQuery,
  };
}

/** @unit characters */
const SHOWN_KEY_LENGTH = 100;

/**
 * Content that has no meaning here is more likely a mistake than a habit. Without any, the content type does not keep pages of other
 * sites from having a browser send the request.
 *
 * @throws GatewayError `BAD_REQUEST`, `CSRF_BLOCKED`
 */
function rejectBody(request: Pick<IncomingMessage, 'headers' | 'method'>): undefined {
  if (hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', `A ${request.method} request has no body here.`);
  if (request.method === 'POST') refuseForgeable(request);
}

/** What of a body is taken. */
export interface RequestBodyOptions extends BodyVersion {
  /** @unit bytes */
  readonly maxBytes: number;
  /** Takes the payment for the length of the body, before it is parsed. @throws GatewayError `RATE_LIMITED` */
  readonly pay?: (bytes: number) => Promise<void> | undefined;
}

/**
 * The JSON body of a request. Only a JSON content type is taken: a browser sends none for a foreign page without asking.
 *
 * @throws GatewayError `BAD_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`, `VERSION_CONFLICT`, `PAYLOAD_TOO_LARGE`
 */
async function readRequestBody(request: IncomingMessage, method: RestMethod, limits: RequestBodyOptions): Promise<unknown> {
  if (!hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', 'This request needs a JSON body.');
  // RFC 9110, section 14.5: taken as the whole, a part would put all the rest of the resource out.
  if (method === 'PUT' && request.headers['content-range'] !== undefined)
    throw new GatewayError('BAD_REQUEST', 'PUT replaces the whole resource: send all of it, without Content-Range.');
  requireBodyType(readContentType(request.headers)?.essence, method, limits);
  const text = await readBody(request, limits);
  const payment = limits.pay?.(text.length);
  if (payment !== undefined) await payment;
  const value: unknown = await parseJsonInTurn(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw new GatewayError('BAD_REQUEST', `The body has the key "${twice.slice(0, SHOWN_KEY_LENGTH)}" twice.`);
  return value;
}
