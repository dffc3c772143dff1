import type { IncomingMessage, ServerResponse } from 'node:http';
import { labelOfTag, labelOfType } from '../../cache/labeled-entries.ts';
import type { Invalidate } from '../../cache/open-caches.ts';
import { GatewayError } from '../../platform/errors.ts';
import { parseJson } from '../../platform/http/request/parse-json.ts';
import { readBody } from '../../platform/http/request/read-body.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import { createKeyCheck } from './bearer-key.ts';
import { toJsonResponse } from '../plain-response.ts';

export interface CacheInvalidationOptions {
  readonly invalidate: Invalidate;
  /** Bearer token that authorizes invalidation. */
  readonly key: string;
}

/** Handles `POST /cache/invalidate`. @throws GatewayError `UNAUTHENTICATED`, `METHOD_NOT_ALLOWED`, `BAD_REQUEST` */
export type CacheInvalidation = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @unit bytes */
const MAX_BODY_BYTES = 65_536;
/** Maximum nesting depth of the body: the object and a list in it. @unit levels */
const MAX_DEPTH = 2;

/**
 * Evicts cached responses by the names of types in them and by tags that subgraphs assigned: `{ "types": ["Book"], "tags": ["sale"] }`. The
 * status is 202 when other gateways receive the invalidation later.
 */
export function createCacheInvalidation({ invalidate, key }: CacheInvalidationOptions): CacheInvalidation {
  const checkKey = createKeyCheck(key, 'cache.invalidationKey');
  return async (request, response) => {
    checkKey(request.headers);
    if (request.method !== 'POST') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'This endpoint supports only POST.', { headers: { allow: 'POST' } });
    }
    const body = parseJson(await readBody(request, { maxBytes: MAX_BODY_BYTES }), { maxDepth: MAX_DEPTH });
    const { count: invalidated, isShared } = await invalidate(readLabels(body));
    const httpResponse = isShared ? toJsonResponse(200, { invalidated }) : toJsonResponse(202, { invalidated, pending: true });
    sendResponse(request, response, httpResponse);
  };
}

function readLabels(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw malformed();
  const { types = [], tags = [], ...others } = body as Readonly<Record<string, unknown>>;
  if (!isNames(types) || !isNames(tags) || Object.keys(others).length > 0 || types.length + tags.length === 0) throw malformed();
  return [...types.map(labelOfType), ...tags.map(labelOfTag)];
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

function malformed(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'Send a JSON object with "types", "tags", or both: lists of names.');
}
