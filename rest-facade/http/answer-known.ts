import { CODINGS } from '../../gateway/platform/http/response/compress.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import { inCoding, parseTag } from '../response/entity-tag.ts';
import { readOutcome } from '../response/read-outcome.ts';
import { toValidators } from '../response/to-validators.ts';
import { varyBy } from '../response/vary.ts';
import type { RunRoute } from './execute-conditionally.ts';
import type { ReadyRequest } from './ready-request.ts';

/**
 * 304 where the version alone tells that the client has everything already; undefined where that is not known before all of the
 * operation has run. How long it may be kept is said by all of it, so here it is not said.
 *
 * @throws GatewayError as `run`, and `NOT_FOUND`
 */
export async function answerKnown(run: RunRoute, ready: ReadyRequest): Promise<NamedReply | undefined> {
  const { route, bound, stateQuery, preconditions, incoming } = ready;
  if (stateQuery === undefined || route.method !== 'GET' || !Array.isArray(preconditions?.ifNoneMatch)) return undefined;
  const result = await run({ ...ready, document: stateQuery.document });
  if (result.errors.length > 0) return undefined;
  const { etag: plain } = toValidators(readOutcome(result, route, bound), ready, undefined);
  if (plain === undefined) return undefined;
  const accepted = incoming.request.headers['accept-encoding'] ?? '';
  const current = [plain, ...CODINGS.filter((coding) => accepted.includes(coding)).map((coding) => inCoding(plain, coding))];
  const known = new Set(preconditions.ifNoneMatch.map(({ opaque }) => opaque));
  const etag = current.find((tag) => known.has(parseTag(tag).opaque));
  if (etag === undefined) return undefined;
  const freshness = route.isNeverStored ? 'no-store' : 'private, no-cache';
  return { status: 304, headers: { etag, vary: varyBy(route.bindings), 'cache-control': freshness }, body: '' };
}
