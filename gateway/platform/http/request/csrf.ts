import type { ReceivedRequest } from '../plain/plain-request.ts';
import { GatewayError } from '../../errors.ts';
import { readContentType } from './content-type.ts';

/** Content types that a page of any origin may send without a preflight request (Fetch standard, CORS-safelisted request-header). */
const SIMPLE_TYPES: ReadonlySet<string> = new Set(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']);

/** Headers that a browser lets a foreign page send only after a preflight request. */
const PREFLIGHT_HEADERS = ['x-api-key', 'apollo-require-preflight', 'x-apollo-operation-name', 'x-requested-with'] as const;

/** Credentials that a browser sends automatically with any request after the user has entered them. */
const SENT_BY_BROWSERS = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;

/**
 * Prevents cross-site request forgery. Rejects a request that may change data if a browser would send it for any page without a preflight
 * request. Cookies are not used, so safe methods are allowed.
 *
 * @throws GatewayError `CSRF_BLOCKED`
 */
export function refuseForgeable({ method, headers }: Pick<ReceivedRequest, 'method' | 'headers'>): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (headers['content-type'] !== undefined && !SIMPLE_TYPES.has(readContentType(headers)?.essence ?? '')) return;
  if (PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined)) return;
  if (headers.authorization !== undefined && !SENT_BY_BROWSERS.test(headers.authorization)) return;
  throw new GatewayError(
    'CSRF_BLOCKED',
    'The request was blocked because a browser could send it from any website without a preflight request. Use the content type application/json, or send one of the headers X-Requested-With, X-API-Key or Authorization (with a bearer token).',
  );
}
