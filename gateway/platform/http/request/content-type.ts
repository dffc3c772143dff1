import { parse } from 'content-type';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.ts';
import type { RequestHeaders } from '../../request-headers.ts';

/** Whether a request announces content (RFC 9112, section 6). A length of 0 counts as no content. */
export function hasBody(headers: RequestHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && Number(length) !== 0;
}

/** Parsed `Content-Type` header. */
export interface MediaType {
  /** Type and subtype in lower case, without parameters. */
  readonly essence: string;
  /** Charset in lower case, if it is present. */
  readonly charset?: string;
}

const ESSENCE = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Cache of parsed headers, which almost all requests share. */
const known = new LRUCache<string, { readonly mediaType: MediaType | undefined }>({ max: 100 });
/** Maximum length of a cached header. @unit characters */
const MAX_KNOWN_LENGTH = 128;

/** Header that was parsed last. A request reads its header several times, and most clients send the same one. */
let latest: { readonly header: string; readonly mediaType: MediaType | undefined } = { header: '', mediaType: undefined };

/** Returns the media type of the body; undefined if the header is absent or malformed. */
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
 * Checks that the charset is UTF-8, the only encoding of JSON between systems (RFC 8259, section 8.1).
 *
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`
 */
export function requireUtf8(mediaType: MediaType | undefined): void {
  const charset = mediaType?.charset;
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The charset of the body is not supported. Use UTF-8.');
  }
}
