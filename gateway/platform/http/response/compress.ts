import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Reply } from './send-response.ts';

/** How a body is coded (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** Whether, and how, answers are compressed. */
export interface CompressionSettings {
  readonly enabled: boolean;
  /** Shorter bodies go as they are, but to a client that refuses that. @unit bytes */
  readonly minBytes: number;
}

/** Compresses an answer where its client takes that; the same answer where not. */
export type Compress = (reply: Reply, acceptEncoding: string | undefined) => Reply | Promise<Reply>;

/** Those that are spoken, the preferred one first. */
export const CODINGS: readonly Coding[] = ['br', 'gzip'];

/** Decisions remembered. @unit entries */
const CACHED_HEADERS = 200;
/** Longest header that is read. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** Brotli's own default takes thirty times as long for a tenth less. */
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

/** Which coding a client gets, and how a body is put into it. */
export interface Codings {
  /** @returns undefined where the body goes as it is */
  choose(acceptEncoding: string | undefined, body: string): Coding | undefined;
  /** The work is done in Node's threads. */
  encode(coding: Coding, text: string): Promise<Uint8Array>;
}

/**
 * Brotli or gzip, whichever the client wants more, Brotli where it wants both alike. A client that does not say what it takes
 * gets the body as it is (RFC 9110, section 12.5.3), and so does one that refuses even that: an answer helps it more than 406.
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

  /** Most clients send the header of the one before: of a short answer nothing more is looked at than whether it is that one. */
  function refusesIdentity(header: string): boolean {
    if (header === latest) return mustCode;
    latest = header;
    mustCode = decisionOn(header).refusesIdentity;
    return mustCode;
  }

  return {
    choose(header, body) {
      if (!enabled || header === undefined || (!hasBytes(body, minBytes) && !refusesIdentity(header))) return undefined;
      return decisionOn(header).coding;
    },
    encode: (coding, text) => packers[coding](text),
  };
}

/** Whether a text has that many bytes in UTF-8; most texts are so long, or so short, that nobody has to count. */
function hasBytes(text: string, bytes: number): boolean {
  if (text.length >= bytes) return true;
  return text.length * MAX_BYTES_PER_CODE_UNIT >= bytes && Buffer.byteLength(text) >= bytes;
}

/** Of UTF-8. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/** Compresses answers by the coding that is chosen for them. */
export function createCompress({ choose, encode }: Codings): Compress {
  return (reply, acceptEncoding) => {
    const { headers, body } = reply;
    if (typeof body !== 'string' || Array.isArray(headers)) return reply; // it is as its client gets it
    const coding = choose(acceptEncoding, body);
    return coding === undefined ? reply : encodeReply({ ...reply, headers }, coding, encode(coding, body));
  };
}

/** A reply whose headers are no list. */
type PlainReply = Omit<Reply, 'headers'> & { readonly headers: OutgoingHttpHeaders };

async function encodeReply(reply: PlainReply, coding: Coding, encoded: Promise<Uint8Array>): Promise<Reply> {
  return { ...reply, headers: { ...reply.headers, 'content-encoding': coding }, body: await encoded };
}

/** The option is newer than the types of the package. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/** What an `Accept-Encoding` header comes to. */
interface Decision {
  readonly coding: Coding | undefined;
  /** Whether its client does not take a body as it is. */
  readonly refusesIdentity: boolean;
}

const AS_IT_IS: Decision = { coding: undefined, refusesIdentity: false };

function decide(header: string): Decision {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const accepted = negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
  return { coding: CODINGS.find((coding) => coding === accepted[0]), refusesIdentity: !accepted.includes('identity') };
}
