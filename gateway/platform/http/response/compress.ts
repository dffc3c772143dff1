import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { HttpResponse } from './send-response.ts';

/** Content coding of a body (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** Settings for response compression. */
export interface CompressionSettings {
  readonly enabled: boolean;
  /** Minimum size of a compressed body. Shorter bodies are compressed only for clients that do not accept uncompressed ones. @unit bytes */
  readonly minBytes: number;
}

/** Compresses a response if its client accepts it; otherwise returns it unchanged. */
export type Compress = (httpResponse: HttpResponse, acceptEncoding: string | undefined) => HttpResponse | Promise<HttpResponse>;

/** Supported content codings, in order of preference. */
export const CODINGS: readonly Coding[] = ['br', 'gzip'];

/** Maximum number of cached decisions. @unit entries */
const CACHED_HEADERS = 200;
/** Maximum length of a header that is parsed. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** Brotli quality. The default quality takes thirty times as long for 10 % less size. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const pack = promisify<string, Uint8Array>(gzip);

const packers: Readonly<Record<Coding, (text: string) => Promise<Uint8Array>>> = {
  br: (text) =>
    brotli(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    }),
  gzip: (text) => pack(text),
};

/** Selects and applies content codings. */
export interface Codings {
  /** Selects the coding for a client and a body. @returns undefined if the body is not compressed */
  choose(acceptEncoding: string | undefined, body: string): Coding | undefined;
  /** Compresses a text in the thread pool of Node.js. */
  encode(coding: Coding, text: string): Promise<Uint8Array>;
}

/**
 * Creates content codings. The coding that the client prefers is selected, and Brotli if it accepts both equally. Clients without
 * `Accept-Encoding` receive uncompressed bodies (RFC 9110, section 12.5.3). Clients that reject all offered codings also do, because a
 * response is more useful than 406.
 */
export function createCodings({ enabled, minBytes }: CompressionSettings): Codings {
  const decided = new LRUCache<string, Decision>({ max: CACHED_HEADERS });
  let latest: string | undefined;
  let mustCode = false;

  function decisionOn(header: string): Decision {
    if (header.length > MAX_HEADER_LENGTH) return AS_IT_IS;
    const known = decided.get(header);
    if (known !== undefined) return known;
    const decision = decide(header);
    decided.set(header, decision);
    return decision;
  }

  /**
   * Whether a client does not accept uncompressed bodies. Most clients send the same header as the previous one, so a short response costs
   * only one comparison.
   */
  function rejectsIdentity(header: string): boolean {
    if (header === latest) return mustCode;
    latest = header;
    mustCode = decisionOn(header).rejectsIdentity;
    return mustCode;
  }

  return {
    choose(header, body) {
      if (!enabled || header === undefined || (!hasBytes(body, minBytes) && !rejectsIdentity(header))) return undefined;
      return decisionOn(header).coding;
    },
    encode: (coding, text) => packers[coding](text),
  };
}

/** Whether a text has at least this many bytes in UTF-8. For most texts, the length decides without counting. */
function hasBytes(text: string, bytes: number): boolean {
  if (text.length >= bytes) return true;
  return text.length * MAX_BYTES_PER_CODE_UNIT >= bytes && Buffer.byteLength(text) >= bytes;
}

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/** Creates a function that compresses responses with the selected coding. */
export function createCompress({ choose, encode }: Codings): Compress {
  return (httpResponse, acceptEncoding) => {
    const { headers, body } = httpResponse;
    if (typeof body !== 'string' || Array.isArray(headers)) return httpResponse; // The response is already encoded.
    const coding = choose(acceptEncoding, body);
    return coding === undefined ? httpResponse : encodeResponse({ ...httpResponse, headers }, coding, encode(coding, body));
  };
}

/** Response whose headers are an object. */
type PlainHttpResponse = Omit<HttpResponse, 'headers'> & { readonly headers: OutgoingHttpHeaders };

async function encodeResponse(httpResponse: PlainHttpResponse, coding: Coding, encoded: Promise<Uint8Array>): Promise<HttpResponse> {
  const { longBody: _longBody, ...rest } = httpResponse;
  return { ...rest, headers: { ...httpResponse.headers, 'content-encoding': coding }, body: await encoded };
}

/** This option is missing in the type definitions of the package. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/** Decision for an `Accept-Encoding` header. */
interface Decision {
  readonly coding: Coding | undefined;
  /** Whether the client does not accept uncompressed bodies. */
  readonly rejectsIdentity: boolean;
}

const AS_IT_IS: Decision = { coding: undefined, rejectsIdentity: false };

function decide(header: string): Decision {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const accepted = negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
  return { coding: CODINGS.find((coding) => coding === accepted[0]), rejectsIdentity: !accepted.includes('identity') };
}
