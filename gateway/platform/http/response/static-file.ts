import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { ReceivedRequest } from '../plain/plain-request.ts';
import type { NamedHttpResponse } from './send-response.ts';

/** Static file with the entity tag of its content. */
export interface StaticFile {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Creates a static file. @param headers response headers, including `content-type`; the entity tag is added */
export function createStaticFile(content: Buffer | string, headers: OutgoingHttpHeaders): StaticFile {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, etag, headers: { etag, ...headers } };
}

/** Returns the file, or 304 if the client has the current version (RFC 9110, section 13.1.2). */
export function fileResponse({ body, headers, etag }: StaticFile, { headers: sent }: Pick<ReceivedRequest, 'headers'>): NamedHttpResponse {
  const known = sent['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.includes(etag) === true || known?.includes('*') === true
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body };
}
