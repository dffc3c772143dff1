import type { RequestHeaders } from '../request-headers.ts';

/** Whether a request announces content (RFC 9112, section 6). An announced length of 0 is none. */
export function hasBody(headers: RequestHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && Number(length) !== 0;
}
