import { CORRELATION_ID_HEADER } from '../platform/request-headers.ts';
import { NO_STORE } from '../platform/http/response/send-response.ts';
import type { Reply } from '../platform/http/response/send-response.ts';

/** Methods that some resource of the server has. */
const SERVER_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Answers `OPTIONS *`, which asks about the server as a whole, and `OPTIONS /` (RFC 9110, section 9.3.7).
 *
 * @param hasPage whether a page is served at `/`
 */
export function createOptionsReply(hasPage: boolean): (target: '*' | '/', correlationId: string) => Reply {
  const ofRoot = hasPage ? 'GET, HEAD, OPTIONS' : 'OPTIONS';
  return (target, correlationId) => ({
    status: 204,
    headers: { ...NO_STORE, [CORRELATION_ID_HEADER]: correlationId, allow: target === '*' ? SERVER_METHODS : ofRoot },
    body: '',
  });
}
