import type { ReceivedRequest } from '../../gateway/platform/http/plain/plain-request.ts';
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
  /** Vendor name in versioned media types. */
  readonly mediaTypeVendor: string;
}

/**
 * Reads and validates a request in the order of its possible errors: content negotiation, body, values, conditions.
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
  // Without the fields that no anonymous caller may see, the representation is the same for all anonymous callers and can be public.
  const anonymous = isRead && principal.kind === 'anonymous' ? table.anonymousFieldsOf(route, bound.fields) : undefined;
  const shown = { fields: isMinimal ? NO_FIELDS : (anonymous ?? bound.fields), isUncounted: bound.isUncounted, isLinked };
  const document = table.documentOf(route, shown);
  const requested = { route, principal, document, bound, representation, preconditions, condition };
  const stateQuery = stateQueryOf(requested, resource.match, table);
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
 * Rejects a body where none is expected, because it is probably a mistake. A POST without a body has no content type that protects it from
 * cross-site requests, so it is checked separately.
 *
 * @throws GatewayError `BAD_REQUEST`, `CSRF_BLOCKED`
 */
function rejectBody(request: Pick<ReceivedRequest, 'headers' | 'method'>): undefined {
  if (hasBody(request.headers))
    throw new GatewayError('BAD_REQUEST', `This resource does not accept a body with ${request.method}. Remove the body.`);
  if (request.method === 'POST') refuseForgeable(request);
}

/** Limits of a request body. */
export interface RequestBodyOptions extends BodyVersion {
  /** @unit bytes */
  readonly maxBytes: number;
  /** Charges the caller for the length of the body before it is parsed. @throws GatewayError `RATE_LIMITED` */
  readonly pay?: (bytes: number) => Promise<void> | undefined;
}

/**
 * Reads the JSON body of a request. Only JSON content types are accepted, because a browser sends them to another origin only after a
 * preflight request.
 *
 * @throws GatewayError `BAD_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`, `VERSION_CONFLICT`, `PAYLOAD_TOO_LARGE`
 */
async function readRequestBody(request: ReceivedRequest, method: RestMethod, limits: RequestBodyOptions): Promise<unknown> {
  if (!hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', 'This request requires a JSON body.');
  // A partial body would be taken for the whole resource and delete the rest of it (RFC 9110, section 14.5).
  if (method === 'PUT' && request.headers['content-range'] !== undefined)
    throw new GatewayError('BAD_REQUEST', 'PUT replaces the whole resource. Send the complete resource without Content-Range.');
  requireBodyType(readContentType(request.headers)?.essence, method, limits);
  const text = await readBody(request, limits);
  const payment = limits.pay?.(text.length);
  if (payment !== undefined) await payment;
  const value: unknown = await parseJsonInTurn(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined)
    throw new GatewayError('BAD_REQUEST', `The JSON body contains the key "${twice.slice(0, SHOWN_KEY_LENGTH)}" more than once.`);
  return value;
}
