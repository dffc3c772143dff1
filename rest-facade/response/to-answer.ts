import type { ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';
import { toExecutionFailure } from '../errors/execution-failure.ts';
import { toBusinessRefusal } from '../errors/user-errors.ts';
import type { LocationTemplate, Route } from '../mapping/route.ts';
import type { BoundRequest } from '../request/bind-request.ts';
import { sortErrors } from './denied-fields.ts';
import { toFreshness } from './to-freshness.ts';
import { type DataObject, isDataObject, valueAt } from './result-values.ts';
import { type PageAddress, shapePage } from './shape-page.ts';
import { shapeResource } from './shape-resource.ts';

/** What of the request the answer repeats. */
export interface AnswerContext extends PageAddress {
  readonly route: Route;
  readonly bound: BoundRequest;
  /** What stands before every path of the route: where the facade is mounted, and the route's own mount. */
  readonly prefix: string;
  /** @unit items */
  readonly maxOffset: number;
}

type Headers = Record<string, string>;

const HEADERS = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept, Authorization, X-API-Key' } as const;

const NO_STORE = { 'cache-control': 'no-store' } as const;

/**
 * The result of an operation as a REST answer.
 *
 * @throws GatewayError when it failed, was denied, or there is nothing
 */
export function toAnswer({ data, errors, facts }: ObjectResult, context: AnswerContext): NamedReply {
  const { route, bound, prefix } = context;
  const { result, method, status } = route;
  // What was written stays written: a field of it that may not be seen must not look like a refusal of the whole.
  const { omitted, fatal } = sortErrors(errors, data, result, method === 'GET' ? bound.fields?.names : undefined);
  if (fatal.length > 0) throw toExecutionFailure(fatal, method);
  const root = valueAt(data, result.path);
  if (!isDataObject(root)) {
    const refusal = result.userErrors && toBusinessRefusal(valueAt(data, result.userErrors.path), result.userErrors);
    throw refusal ?? new GatewayError('NOT_FOUND', 'There is no such resource.');
  }
  if (status === 204) return { status, headers: { ...NO_STORE, vary: HEADERS.vary }, body: '' };
  const headers: Headers = { ...HEADERS, ...(method === 'GET' && errors.length === 0 ? toFreshness(facts, HEADERS.vary) : NO_STORE) };
  if (route.location !== undefined) Object.assign(headers, addressHeaders(toLocation(route.location, root, prefix), bound));
  if (bound.page === undefined) {
    return { status, headers, body: JSON.stringify(shapeResource(root, result.shape, omitted, bound.fields?.mask)) };
  }
  const items = shapeResource(root['nodes'], result.shape, omitted, bound.fields?.mask);
  const { body, link } = shapePage(root, items, bound.page, context);
  return { status, headers: link === '' ? headers : { ...headers, link }, body: JSON.stringify(body) };
}

/** The body is what is found there (RFC 9110, section 8.7), unless it was narrowed. */
function addressHeaders(location: string, { fields }: BoundRequest): Headers {
  return fields === undefined ? { location, 'content-location': location } : { location };
}

function toLocation(template: LocationTemplate, root: DataObject, prefix: string): string {
  const path = template.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(root[part])))).join('');
  return prefix + path;
}
