import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../errors.ts';
import { readContentType } from './content-type.ts';

/** Content types that a page of any origin may send without asking first (Fetch standard, CORS-safelisted request-header). */
const SIMPLE_TYPES: ReadonlySet<string> = new Set(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']);

/** Headers that a browser lets a foreign page send only after a preflight request. */
const PREFLIGHT_HEADERS = ['x-api-key', 'apollo-require-preflight', 'x-apollo-operation-name', 'x-requested-with'] as const;

/** Credentials that a browser sends on its own, to whoever a page makes it send something, once somebody has typed them in. */
const SENT_BY_BROWSERS = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;

/**
 * Cross-site request forgery: refuses a request that changes something, or may, when a browser would have sent it for
 * any page without a preflight. No cookies are read, so a safe method is let through.
 *
 * @throws GatewayError `CSRF_BLOCKED`
 */
export function refuseForgeable({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (headers['content-type'] !== undefined && !SIMPLE_TYPES.has(readContentType(headers)?.essence ?? '')) return;
  if (PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined)) return;
  if (headers.authorization !== undefined && !SENT_BY_BROWSERS.test(headers.authorization)) return;
  throw new GatewayError(
    'CSRF_BLOCKED',
    'A browser could send this request for any web site. Send the content type application/json, or one of the headers X-Requested-With, X-API-Key, Authorization (with a bearer token).',
  );
}
