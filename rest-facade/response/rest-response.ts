import type { ObjectResult } from '../../gateway/index.ts';
import { type NamedHttpResponse, NO_STORE } from '../../gateway/platform/http/response/send-response.ts';
import { toUriReference } from '../request/request-address.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { MissingField } from './classify-errors.ts';
import { type ReadResult, readResult } from './read-result.ts';
import { addressHeaders, preferencesApplied, toFreshness, varyBy } from './response-headers.ts';
import { isResultObject, type ResultObject } from './result-data.ts';
import { linkHeader, type PageLink, shapePage } from './shape-page.ts';
import { LINKS_MEMBER, shapeResource } from './shape-resource.ts';
import { toValidatorHeaders } from './validator-headers.ts';
import { createLinkWriter, type Link, toAddress } from './write-links.ts';

export interface ResponseLimits {
  /** Time for which an expired response may be served while a new one is fetched. @unit seconds @defaultValue 0 */
  readonly staleWhileRevalidateSeconds?: number | undefined;
  /** @unit items */
  readonly maxOffset: number;
}

/** A shaped resource or page, with links to other pages. */
interface ShapedContent {
  readonly body: unknown;
  /** The object that the body was shaped from. */
  readonly root: ResultObject;
  readonly pages?: readonly PageLink[];
}

interface RepresentedContent extends ShapedContent {
  /** Links to other pages, also for a list without a page object. */
  readonly links?: readonly PageLink[];
  /** Total number of items, if it is known. @unit items */
  readonly total?: number | undefined;
}

/**
 * Converts the result of an operation to a REST response without content coding.
 *
 * @throws GatewayError if the operation failed or was denied, or the resource does not exist
 */
export function toRestResponse(result: ObjectResult, request: RestRequest, limits: ResponseLimits): NamedHttpResponse {
  const executionResult = readResult(result, request.route, request.bound, request.printedItems);
  return request.isMinimal || request.route.status === 204
    ? toMinimal(executionResult, request)
    : toFull(result, executionResult, request, limits);
}

/** Returns a response without a body. `Location` and validators are sent if they do not require the body (RFC 7240, section 4.2). */
function toMinimal(result: ReadResult, request: RestRequest): NamedHttpResponse {
  const { status } = request.route;
  const headers = { ...NO_STORE, ...commonHeaders(result, request, undefined) };
  return { status: status === 200 ? 204 : status, headers, body: '' };
}

function toFull(result: ObjectResult, executionResult: ReadResult, request: RestRequest, limits: ResponseLimits): NamedHttpResponse {
  const { route, representation } = request;
  const isRetained = route.method === 'GET' && result.errors.length === 0 && !route.isNeverStored;
  const shaped = shapeContent(executionResult, request, limits);
  const content = toJson(represent(shaped, request, executionResult.missing), executionResult);
  // The envelope contains the request id, which is not part of the state of the resource.
  const state = representation.shape === 'envelope' ? toJson(shaped.body, executionResult) : content;
  const headers = commonHeaders(executionResult, request, state, result.facts.varyingHeaders);
  headers['content-type'] = representation.contentType;
  headers['cache-control'] = isRetained ? toFreshness(result.facts, limits.staleWhileRevalidateSeconds) : 'no-store';
  if (isRetained && result.facts.ageSeconds !== undefined) headers['age'] = String(result.facts.ageSeconds);
  const { links = [], total } = shaped;
  if (links.length > 0) headers['link'] = linkHeader(links);
  if (total !== undefined) headers['x-total-count'] = String(total);
  return { status: route.status, headers, body: content };
}

/** Serializes the body. Items that are already JSON text replace the `null` that was shaped for them; `data` is always the first member. */
function toJson(body: unknown, { items }: ReadResult): string {
  const content = JSON.stringify(body);
  if (typeof items !== 'string') return content;
  return content === NO_ITEMS ? items : AROUND_ITEMS + items + content.slice(AROUND_ITEMS.length + NO_ITEMS.length);
}

/** Placeholder for items that are JSON text, and the start of an object that contains them. */
const NO_ITEMS = 'null';
const AROUND_ITEMS = '{"data":';

/** Returns the headers of both kinds of responses. @param content JSON of the shown data; undefined for an empty response */
function commonHeaders(
  result: ReadResult,
  request: RestRequest,
  content: string | undefined,
  varying: readonly string[] = [],
): Record<string, string> {
  const applied = preferencesApplied(request);
  const headers: Record<string, string> = { vary: varyBy(request.route.bindings, varying) };
  Object.assign(headers, addressHeaders(result.root, request));
  // A missing field may be available in the next response although the resource has not changed, so validators are omitted.
  if (result.missing === undefined) Object.assign(headers, toValidatorHeaders(result, request, content));
  if (applied !== undefined) headers['preference-applied'] = applied;
  return headers;
}

function shapeContent({ root, items, omitted }: ReadResult, request: RestRequest, { maxOffset }: ResponseLimits): RepresentedContent {
  const { route, bound, address, representation } = request;
  const writeLinks = representation.shape === 'links' ? createLinkWriter(request) : undefined;
  const { shape } = route.result;
  const view = { omitted, mask: bound.fields?.mask, ...(writeLinks === undefined ? {} : { writeLinks }) };
  if (items === undefined) return { body: shapeResource(root, shape, view), root };
  const shown = typeof items === 'string' ? null : shapeResource(items, shape, view);
  if (bound.page === undefined)
    return { body: shown, root, total: typeof root['totalCount'] === 'number' ? root['totalCount'] : undefined };
  const count = (): number => (typeof items === 'string' ? (JSON.parse(items) as readonly unknown[]) : items).length;
  const { body, links, total } = shapePage(root, { shown, count }, bound.page, { address, maxOffset });
  return route.result.isPage ? { body, root, pages: links, links, total } : { body: shown, root, links, total };
}

/** Puts the body into the requested representation: in an envelope, or with links. */
function represent({ body, root, pages }: ShapedContent, request: RestRequest, missing?: readonly MissingField[]): unknown {
  const { shape } = request.representation;
  if (shape === 'envelope') return wrapBody(body, { isPage: pages !== undefined, requestId: request.incoming.correlationId, missing });
  if (shape === 'plain' || !isResultObject(body)) return body;
  return { ...body, [LINKS_MEMBER]: { ...selfOf(root, request), ...ownLinks(body), ...linksTo(pages) } };
}

/** Returns the link `self`, unless the document declares one. */
function selfOf(root: ResultObject, { route, address }: RestRequest): Readonly<Record<string, Link>> {
  if (route.location !== undefined) {
    const href = toAddress(route.location, root, address);
    return href === undefined ? {} : { self: { href } };
  }
  if (route.method === 'POST') return {};
  const query = route.method === 'GET' && address.query !== '' ? `?${address.query}` : address.suffix;
  return { self: { href: toUriReference(address.path + query) } };
}

function ownLinks(body: ResultObject): ResultObject {
  const own = body[LINKS_MEMBER];
  return isResultObject(own) ? own : {};
}

function linksTo(pages: readonly PageLink[] = []): Readonly<Record<string, Link>> {
  return Object.fromEntries(pages.map(({ rel, href }) => [rel, { href }]));
}

/** Metadata of a body. */
interface EnvelopeFacts {
  readonly isPage: boolean;
  readonly requestId: string;
  /** Fields that could not be resolved. */
  readonly missing: readonly MissingField[] | undefined;
}

/**
 * Wraps a body in an envelope: the resource is `data`, its metadata is `meta`. For a page, `data` has the items, and `meta` has the other
 * members of the page object.
 */
function wrapBody(body: unknown, { isPage, requestId, missing }: EnvelopeFacts): unknown {
  const meta = missing === undefined ? { requestId } : { requestId, partial: missing };
  if (!isPage || !isResultObject(body)) return { data: body, meta };
  const { data, ...facts }: ResultObject = body;
  return { data, meta: { ...meta, ...facts } };
}
