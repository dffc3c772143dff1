import { LRUCache } from 'lru-cache';
import type { ObjectResult } from '../../gateway/index.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { ResultVersion } from '../compile/result/validators.ts';
import { contentTag, strongTag, variantOf, versionedContentTag, versionTag } from '../request/conditional/entity-tag.ts';
import { toLastModified } from '../request/conditional/http-date.ts';
import type { BoundRequest } from '../request/parameters/bind-request.ts';
import type { RestRequest } from '../request/request-context.ts';
import { NOTHING_OMITTED } from './classify-errors.ts';
import type { ReadResult } from './read-result.ts';
import { isResultObject, type ResultObject, valueAt } from './result-data.ts';

/** Maximum number of cached variants. @unit entries */
const KNOWN_REPRESENTATIONS = 500;
/** Maximum length of a cached variant description. @unit characters */
const MAX_REPRESENTATION_LENGTH = 1_024;

const variants = new LRUCache<string, string>({ max: KNOWN_REPRESENTATIONS });

/**
 * Computes `ETag` and `Last-Modified` of a response (RFC 9110, section 8.8), if they are known. A response to PUT has none, because they
 * would mean that every byte was stored as it was sent (section 9.3.4). A deleted resource has none either.
 *
 * The tag of an envelope is computed without the request id, which is not part of the state. The tag is therefore strong, and a client that
 * reads envelopes can write with `If-Match`. Byte equality would matter only for range requests, which are not supported.
 *
 * @param content JSON of the shown data, without the metadata of an envelope; undefined for an empty response
 */
export function toValidatorHeaders(result: ReadResult, request: RestRequest, content: string | undefined): ValidatorHeaders {
  const { route, representation } = request;
  if (route.method === 'PUT' || route.method === 'DELETE') return {};
  const { version, lastModified } = route.result.validators;
  const text = version && textOf(result.root[version.name]);
  if (version === undefined || text === undefined) {
    return route.method === 'GET' && content !== undefined ? { etag: strongTag(contentTag(`${representation.name}\n${content}`)) } : {};
  }
  const variant = variantFor(result, request, version);
  if (showsMore(request, version)) return content === undefined ? {} : { etag: strongTag(versionedContentTag(text, variant, content)) };
  const modified = lastModified === undefined || result.omitted.size > 0 ? undefined : httpDate(result.root, lastModified);
  return { etag: strongTag(versionTag(text, variant)), ...(modified === undefined ? {} : { 'last-modified': modified }) };
}

/** Headers with which a client later checks for changes. */
interface ValidatorHeaders {
  readonly etag?: string;
  readonly 'last-modified'?: string;
}

/** Returns the variant: everything that distinguishes responses with the same version, except the content coding. */
function variantFor(
  { omitted }: ReadResult,
  { route, bound, representation, isMinimal, isAnonymousView }: RestRequest,
  { variant: variantKey }: ResultVersion,
): string {
  const hidden = omitted.size === 0 ? '' : Array.from(omitted.values(), (names) => [...names].sort().join()).join(';');
  const text = [
    variantKey,
    representation.name,
    isMinimal ? '' : (bound.fields?.key ?? ''),
    isAnonymousView ? 'anonymous' : hidden,
    readHeaders(route, bound),
  ].join(' ');
  const known = variants.get(text);
  if (known !== undefined) return known;
  const variant = variantOf(text);
  if (text.length <= MAX_REPRESENTATION_LENGTH) variants.set(text, variant);
  return variant;
}

/** Returns the values of bound headers. At one URL, they select different representations of one version. */
function readHeaders({ bindings: { headers } }: RestRoute, { variables }: BoundRequest): string {
  return headers.length === 0 ? '' : JSON.stringify(headers.map(({ variable }) => variables[variable]));
}

/**
 * Whether the response shows data that the version does not cover. Links are never covered, because they depend on the permissions of the
 * caller.
 */
function showsMore({ route, bound, isMinimal, representation }: RestRequest, { uncovered }: ResultVersion): boolean {
  if (representation.shape === 'links') return true;
  if (uncovered.size === 0) return false;
  const mask = isMinimal ? undefined : bound.fields?.mask;
  return [...uncovered].some((name) => (mask === undefined ? route.result.shape.get(name)?.isOptIn !== true : mask.has(name)));
}

function textOf(version: unknown): string | undefined {
  return typeof version === 'number' || (typeof version === 'string' && version !== '') ? String(version) : undefined;
}

/** Returns the date of the state, or undefined if the field has no date. */
function httpDate(root: ResultObject, name: string): string | undefined {
  const value = root[name];
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(toLastModified(time)).toUTCString();
}

/**
 * Computes the `ETag` that GET on the resource would return now, from the version that a write found instead of the expected one. Returns
 * undefined if the payload does not contain the version, or the version alone does not determine the tag.
 */
export function currentEntityTag({ data }: ObjectResult, request: RestRequest): string | undefined {
  const { bound, resource } = request;
  const route = resource.match.routes.get('GET');
  const { path = [], currentVersion = '' } = request.route.result.userErrors ?? {};
  const name = route?.result.validators.version?.name;
  const errors: unknown = path.length === 0 || currentVersion === '' ? undefined : valueAt(data, path);
  if (route === undefined || name === undefined || !Array.isArray(errors)) return undefined;
  const mismatch: unknown = errors.find((error) => isResultObject(error) && error['code'] === 'VERSION_MISMATCH');
  if (!isResultObject(mismatch) || mismatch[currentVersion] === null) return undefined;
  const result = { root: { [name]: mismatch[currentVersion] }, omitted: NOTHING_OMITTED };
  const read = { ...request, route, bound: { variables: {}, fields: bound.fields }, isMinimal: false, isAnonymousView: false };
  return toValidatorHeaders(result, read, undefined).etag;
}
