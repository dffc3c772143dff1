import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { NamedReply } from './send-response.ts';

/** A file as it is served: whole, with the tag of its content. */
export interface StaticFile {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: OutgoingHttpHeaders;
}

/** @param headers what goes with it, `content-type` among it; its entity tag is added */
export function createStaticFile(content: Buffer | string, headers: OutgoingHttpHeaders): StaticFile {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, etag, headers: { etag, ...headers } };
}

/** The file, or 304 where the client has it (RFC 9110, section 13.1.2). */
export function fileReply({ body, headers, etag }: StaticFile, { headers: sent }: Pick<IncomingMessage, 'headers'>): NamedReply {
  const known = sent['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.includes(etag) === true || known?.includes('*') === true
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body };
}
