import { parse } from 'content-type';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.ts';
import type { RequestHeaders } from '../../request-headers.ts';

/** Whether a request announces content (RFC 9112, section 6). An announced length of 0 is none. */
export function hasBody(headers: RequestHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && Number(length) !== 0;
}

/** A `Content-Type` header, taken apart. */
export interface MediaType {
  /** Type and subtype in lower case, without parameters. */
  readonly essence: string;
  /** In lower case, where given. */
  readonly charset?: string;
}

const ESSENCE = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Headers taken apart before, which nearly all requests share. */
const known = new LRUCache<string, { readonly mediaType: MediaType | undefined }>({ max: 100 });
/** Longest header that is remembered. @unit characters */
const MAX_KNOWN_LENGTH = 128;

/** The header that was read last: one request reads its header several times, and most clients send the same one. */
let latest: { readonly header: string; readonly mediaType: MediaType | undefined } = { header: '', mediaType: undefined };

/** The media type of the body; undefined where the header is absent or malformed. */
export function readContentType(headers: RequestHeaders): MediaType | undefined {
  const header = headers['content-type'];
  if (header === undefined) return undefined;
  if (header === latest.header) return latest.mediaType;
  const remembered = known.get(header);
  const mediaType = remembered === undefined ? takeApart(header) : remembered.mediaType;
  if (header.length > MAX_KNOWN_LENGTH) return mediaType;
  if (remembered === undefined) known.set(header, { mediaType });
  latest = { header, mediaType };
  return mediaType;
}

function takeApart(header: string): MediaType | undefined {
  const { type, parameters } = parse(header);
  const essence = type.toLowerCase();
  if (!ESSENCE.test(essence)) return undefined;
  const charset = parameters['charset'];
  return charset === undefined ? { essence } : { essence, charset: charset.toLowerCase() };
}

/**
 * Bodies are UTF-8, the only encoding of JSON between systems (RFC 8259, section 8.1).
 *
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`
 */
export function requireUtf8(mediaType: MediaType | undefined): void {
  const charset = mediaType?.charset;
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The only charset understood here is UTF-8.');
  }
}
