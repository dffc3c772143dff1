import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Reply } from './send-reply.ts';

/** How a body is coded (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** Whether, and how, answers are compressed. */
export interface CompressionSettings {
  readonly enabled: boolean;
  /** Shorter bodies go as they are. @unit bytes */
  readonly minBytes: number;
}

/** Compresses an answer where its client takes that; the same answer where not. */
export type Compress = (reply: Reply, acceptEncoding: string | undefined) => Reply | Promise<Reply>;

const CODINGS: readonly Coding[] = ['br', 'gzip'];

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
/**
 * Compresses by Brotli or gzip, whichever the client wants more, Brotli where it wants both alike. The work is done in Node's
 * threads. A client that does not say what it takes gets the body as it is (RFC 9110, section 12.5.3), and so does one that
 * refuses even that: an answer helps it more than 406.
 */
export function createCompress({ enabled, minBytes }: CompressionSettings): Compress {
  if (!enabled) return (reply) => reply;
  const decided = new LRUCache<string, { readonly coding: Coding | undefined }>({ max: CACHED_HEADERS });

  function codingFor(header: string): Coding | undefined {
    if (header.length > MAX_HEADER_LENGTH) return undefined;
    const known = decided.get(header);
    if (known !== undefined) return known.coding;
    const coding = decide(header);
    decided.set(header, { coding });
    return coding;
  }

  return (reply, acceptEncoding) => {
    const { body } = reply;
    if (acceptEncoding === undefined || typeof body !== 'string' || body.length < minBytes) return reply;
    const coding = codingFor(acceptEncoding);
    return coding === undefined ? reply : compressBy(coding, reply, body);
  };
}

async function compressBy(coding: Coding, reply: Reply, body: string): Promise<Reply> {
  return { ...reply, headers: { ...reply.headers, 'content-encoding': coding }, body: await packers[coding](body) };
}

/** The option is newer than the types of the package. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

function decide(header: string): Coding | undefined {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [first] = negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
  return CODINGS.find((coding) => coding === first);
}
