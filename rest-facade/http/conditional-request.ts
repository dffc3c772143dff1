import type { ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { CODINGS } from '../../gateway/platform/http/response/compress.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { inCoding, parseTag } from '../request/conditional/entity-tag.ts';
import { toLastModified } from '../request/conditional/http-date.ts';
import type { StateQuery } from '../request/conditional/state-query.ts';
import type { WriteCondition } from '../request/conditional/write-condition.ts';
import type { RestRequest } from '../request/request-context.ts';
import { type ReadResult, readResult } from '../response/read-result.ts';
import { varyBy } from '../response/response-headers.ts';
import { isResultObject, valueAt } from '../response/result-data.ts';
import { toValidatorHeaders } from '../response/validator-headers.ts';

/** Runs the operation of a request. */
export type ExecuteRequest = (request: RestRequest) => Promise<ObjectResult>;

/**
 * Returns 304 if the version alone shows that the client has the current representation. Returns undefined if the whole operation must be
 * run. The 304 has no lifetime, because the lifetime depends on the whole operation.
 *
 * @throws GatewayError as `run`, and `NOT_FOUND`
 */
export async function respondNotModified(run: ExecuteRequest, request: RestRequest): Promise<NamedHttpResponse | undefined> {
  const { route, bound, stateQuery, preconditions, incoming } = request;
  if (stateQuery === undefined || route.method !== 'GET' || !Array.isArray(preconditions?.ifNoneMatch)) return undefined;
  const result = await run({ ...request, document: stateQuery.document });
  if (result.errors.length > 0) return undefined;
  const { etag: plain } = toValidatorHeaders(readResult(result, route, bound), request, undefined);
  if (plain === undefined) return undefined;
  const accepted = incoming.request.headers['accept-encoding'] ?? '';
  const current = [plain, ...CODINGS.filter((coding) => accepted.includes(coding)).map((coding) => inCoding(plain, coding))];
  const known = new Set(preconditions.ifNoneMatch.map(({ opaque }) => opaque));
  const etag = current.find((tag) => known.has(parseTag(tag).opaque));
  if (etag === undefined) return undefined;
  const freshness = route.isNeverStored ? 'no-store' : 'private, no-cache';
  return { status: 304, headers: { etag, vary: varyBy(route.bindings), 'cache-control': freshness }, body: '' };
}

/**
 * Runs a write with the version from the precondition. The subgraph compares the version in the transaction of the write, so no other write
 * can interfere. A version that does not match has no effect, and the next one is tried.
 *
 * @throws GatewayError as `run`, and `PRECONDITION_FAILED`
 */
export async function executeConditionally(run: ExecuteRequest, request: RestRequest): Promise<ObjectResult> {
  const { condition, route } = request;
  const variable = route.bindings.ifMatch?.variable;
  if (condition === undefined || variable === undefined) return run(request);
  const versions = condition.versions ?? (await currentVersion(run, request, condition));
  const over = (version: unknown): Promise<ObjectResult> =>
    run({ ...request, bound: { ...request.bound, variables: { ...request.bound.variables, [variable]: version } } });
  const [first, ...others] = versions;
  let result = await (first === undefined ? run(request) : over(first));
  for (const version of others) {
    if (!isMismatch(result, route)) return result;
    result = await over(version);
  }
  return result;
}

/**
 * Evaluates a condition that names no version against the current version, which the write must then match. Returns no version for a date
 * condition if the resource has no date, because the condition is then ignored (RFC 9110, section 13.1.4).
 *
 * @throws GatewayError as `run`, and `PRECONDITION_FAILED`
 */
async function currentVersion(
  run: ExecuteRequest,
  request: RestRequest,
  { unmodifiedSince, excluded = [] }: WriteCondition,
): Promise<readonly unknown[]> {
  if (request.stateQuery === undefined) {
    if (excluded.length === 0) return [];
    throw new GatewayError(
      'PRECONDITION_FAILED',
      'The gateway cannot determine the current state of the resource, so If-None-Match cannot be evaluated. Remove If-None-Match.',
    );
  }
  const { route, document, variables } = request.stateQuery;
  const result = readResult(await run({ ...request, route, document, bound: { variables } }), route, { variables });
  const { root } = result;
  const { version, lastModified } = route.result.validators;
  const changedAt = toLastModified(Date.parse(String(root[lastModified ?? ''])));
  if (unmodifiedSince !== undefined && changedAt > unmodifiedSince) {
    throw failed('The resource was changed after the date in If-Unmodified-Since.', result, request);
  }
  const current = root[version?.name ?? ''];
  if (excluded.some((one) => String(one) === String(current))) {
    throw failed('The current state of the resource matches a tag in If-None-Match.', result, request);
  }
  return [current];
}

/**
 * Creates the error. It has the current entity tag only if the version alone determines the tag, so that the error needs no further
 * subgraph request.
 */
function failed(message: string, result: ReadResult, request: RestRequest): GatewayError {
  const etag = request.stateQuery?.isWhole === true ? tagOfRead(result, request, request.stateQuery) : undefined;
  return new GatewayError('PRECONDITION_FAILED', message, etag === undefined ? {} : { headers: { etag } });
}

function tagOfRead(result: ReadResult, request: RestRequest, { route, variables }: StateQuery): string | undefined {
  const read = { ...request, route, bound: { variables, fields: request.bound.fields }, isMinimal: false };
  return toValidatorHeaders(result, read, undefined).etag;
}

function isMismatch({ data, errors }: ObjectResult, { result }: RestRoute): boolean {
  if (errors.some(({ extensions }) => extensions.code === 'VERSION_MISMATCH')) return true;
  const listed = result.userErrors && valueAt(data, result.userErrors.path);
  return Array.isArray(listed) && listed.some((entry) => isResultObject(entry) && entry['code'] === 'VERSION_MISMATCH');
}
