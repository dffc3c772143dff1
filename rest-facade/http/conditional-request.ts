import type { ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { CODINGS } from '../../gateway/platform/http/response/compress.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
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
 * 304 where the version alone tells that the client has everything already; undefined where that is not known before all of the
 * operation has run. How long it may be kept is said by all of it, so here it is not said.
 *
 * @throws GatewayError as `run`, and `NOT_FOUND`
 */
export async function respondNotModified(run: ExecuteRequest, request: RestRequest): Promise<NamedReply | undefined> {
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
 * Runs a write over the version that the client makes its condition. The subgraph compares it in the transaction that writes, so
 * nothing comes in between; what does not match has no effect, and the next of several versions is tried.
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
 * What is no version is held against the one that is current: that one the write must still find. None where a date has nothing to be
 * held against, and so does not count (RFC 9110, section 13.1.4).
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
    throw new GatewayError('PRECONDITION_FAILED', 'It cannot be told which state this is in; leave If-None-Match out.');
  }
  const { route, document, variables } = request.stateQuery;
  const outcome = readResult(await run({ ...request, route, document, bound: { variables } }), route, { variables });
  const { root } = outcome;
  const { version, lastModified } = route.result.validators;
  const changedAt = toLastModified(Date.parse(String(root[lastModified ?? ''])));
  if (unmodifiedSince !== undefined && changedAt > unmodifiedSince) {
    throw failed('It was changed since the date in If-Unmodified-Since.', outcome, request);
  }
  const current = root[version?.name ?? ''];
  if (excluded.some((one) => String(one) === String(current))) {
    throw failed('It is in a state that If-None-Match names.', outcome, request);
  }
  return [current];
}

/** With the tag of what is there now, as far as the version alone tells it: nobody is asked once more for a refusal. */
function failed(message: string, outcome: ReadResult, request: RestRequest): GatewayError {
  const etag = request.stateQuery?.isWhole === true ? tagOfRead(outcome, request, request.stateQuery) : undefined;
  return new GatewayError('PRECONDITION_FAILED', message, etag === undefined ? {} : { headers: { etag } });
}

function tagOfRead(outcome: ReadResult, request: RestRequest, { route, variables }: StateQuery): string | undefined {
  const read = { ...request, route, bound: { variables, fields: request.bound.fields }, isMinimal: false };
  return toValidatorHeaders(outcome, read, undefined).etag;
}

function isMismatch({ data, errors }: ObjectResult, { result }: RestRoute): boolean {
  if (errors.some(({ extensions }) => extensions.code === 'VERSION_MISMATCH')) return true;
  const listed = result.userErrors && valueAt(data, result.userErrors.path);
  return Array.isArray(listed) && listed.some((entry) => isResultObject(entry) && entry['code'] === 'VERSION_MISMATCH');
}
