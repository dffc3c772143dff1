import type { ObjectResult } from '../../gateway/index.ts';
import { NO_STORE } from '../../gateway/platform/http/response/send-response.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { ReadyRequest } from '../http/ready-request.ts';
import { addressHeaders } from './address-headers.ts';
import { preferencesApplied } from './preference-applied.ts';
import { type Outcome, readOutcome } from './read-outcome.ts';
import { type ShapedContent, represent } from './represent.ts';
import { type PageLink, linkHeader, shapePage } from './shape-page.ts';
import { shapeResource } from './shape-resource.ts';
import { toFreshness } from './to-freshness.ts';
import { toValidators } from './to-validators.ts';
import { varyBy } from './vary.ts';

export interface AnswerLimits {
  /** @unit items */
  readonly maxOffset: number;
}

/**
 * The result of an operation as a REST answer, in no content coding.
 *
 * @throws GatewayError when it failed, was denied, or there is nothing
 */
export function toAnswer(result: ObjectResult, ready: ReadyRequest, limits: AnswerLimits): NamedReply {
  const outcome = readOutcome(result, ready.route, ready.bound, ready.printedItems);
  return ready.isMinimal || ready.route.status === 204 ? toMinimal(outcome, ready) : toFull(result, outcome, ready, limits);
}

/** What was written is not shown; where it was made, and in which state it is, is told as far as that needs no content (RFC 7240, section 4.2). */
function toMinimal(outcome: Outcome, ready: ReadyRequest): NamedReply {
  const { status } = ready.route;
  const headers = { ...NO_STORE, ...commonHeaders(outcome, ready, undefined) };
  return { status: status === 200 ? 204 : status, headers, body: '' };
}

function toFull(result: ObjectResult, outcome: Outcome, ready: ReadyRequest, limits: AnswerLimits): NamedReply {
  const { route, representation } = ready;
  const isKept = route.method === 'GET' && result.errors.length === 0 && !route.isNeverStored;
  const shaped = shapeContent(outcome, ready, limits);
  const content = toJson(represent(shaped, ready, outcome.missing), outcome);
  // An envelope names the request, which is no part of the state that it shows.
  const state = representation.shape === 'envelope' ? toJson(shaped.body, outcome) : content;
  const headers = commonHeaders(outcome, ready, state, result.facts.varyingHeaders);
  headers['content-type'] = representation.contentType;
  headers['cache-control'] = isKept ? toFreshness(result.facts) : 'no-store';
  const { links = [], total } = shaped;
  if (links.length > 0) headers['link'] = linkHeader(links);
  if (total !== undefined) headers['x-total-count'] = String(total);
  return { status: route.status, headers, body: content };
}

/** Items that are text already stand first in what is around them; until here there was null in their place. */
function toJson(body: unknown, { items }: Outcome): string {
  const content = JSON.stringify(body);
  if (typeof items !== 'string') return content;
  return content === NO_ITEMS ? items : AROUND_ITEMS + items + content.slice(AROUND_ITEMS.length + NO_ITEMS.length);
}

/** What stands in the place of items that are text, and what an object that has them begins with. */
const NO_ITEMS = 'null';
const AROUND_ITEMS = '{"data":';

/** @param content JSON of what is shown; undefined where nothing is */
function commonHeaders(
  outcome: Outcome,
  ready: ReadyRequest,
  content: string | undefined,
  varying: readonly string[] = [],
): Record<string, string> {
  const applied = preferencesApplied(ready);
  const headers: Record<string, string> = { vary: varyBy(ready.route.bindings, varying) };
  Object.assign(headers, addressHeaders(outcome.root, ready));
  // What is missing now may be there the next time, and it is the same resource then.
  if (outcome.missing === undefined) Object.assign(headers, toValidators(outcome, ready, content));
  if (applied !== undefined) headers['preference-applied'] = applied;
  return headers;
}

interface Content extends ShapedContent {
  /** Other pages, also of a list that stands in no page object. */
  readonly links?: readonly PageLink[];
  /** How many items there are, where that is known. @unit items */
  readonly total?: number | undefined;
}

function shapeContent({ root, items, omitted }: Outcome, ready: ReadyRequest, { maxOffset }: AnswerLimits): Content {
  const { route, bound, address, writeLinks } = ready;
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
