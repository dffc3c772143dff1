import type { OutgoingHttpHeaders } from 'node:http';
import type { ReceivedRequest } from '../../../gateway/platform/http/plain/plain-request.ts';
import type { Coding, Codings } from '../../../gateway/platform/http/response/compress.ts';
import type { NamedHttpResponse } from '../../../gateway/platform/http/response/send-response.ts';
import { createStaticFile, type StaticFile } from '../../../gateway/platform/http/response/static-file.ts';
import { inCoding, parseTag } from '../../request/conditional/entity-tag.ts';
import { readPreconditions } from '../../request/conditional/preconditions.ts';
import { isNotModified } from '../../response/evaluate-preconditions.ts';
import { toNotModified } from '../../response/finalize-response.ts';

/** A text that is served as a whole, in the preferred content coding of the client. */
export interface EncodedFile {
  /** Creates the response. Rejects with `PRECONDITION_FAILED`, or with `BAD_REQUEST` for malformed preconditions. */
  httpResponse(request: Pick<ReceivedRequest, 'headers'>): Promise<NamedHttpResponse>;
}

/**
 * Creates a file that is compressed at the first request for a content coding and then cached. Each coding has its own entity tag (RFC
 * 9110, section 8.8.3.3), so a client with a current copy does not wait for compression.
 */
export function createEncodedFile(text: string, headers: OutgoingHttpHeaders, { choose, encode }: Codings): EncodedFile {
  const plain = createStaticFile(text, { ...headers, vary: 'Accept-Encoding' });
  const stored = new Map<Coding, Promise<StaticFile>>();

  async function encoded(coding: Coding, etag: string): Promise<StaticFile> {
    return { body: Buffer.from(await encode(coding, text)), etag, headers: { ...plain.headers, etag, 'content-encoding': coding } };
  }

  return {
    async httpResponse(request) {
      const coding = choose(request.headers['accept-encoding'], text);
      if (coding === undefined) return respondConditionally(plain, request);
      const etag = inCoding(plain.etag, coding);
      if (isKnown(etag, request)) return toNotModified({ headers: { ...plain.headers, etag } });
      const file = stored.get(coding) ?? encoded(coding, etag);
      stored.set(coding, file);
      return toHttpResponse(await file);
    },
  };
}

/** Returns the file, or 304 if the client has it. @throws GatewayError as `EncodedFile.httpResponse` */
export function respondConditionally(file: StaticFile, request: Pick<ReceivedRequest, 'headers'>): NamedHttpResponse {
  return isKnown(file.etag, request) ? toNotModified(file) : toHttpResponse(file);
}

function isKnown(etag: string, { headers }: Pick<ReceivedRequest, 'headers'>): boolean {
  const preconditions = readPreconditions(headers, true);
  return preconditions !== undefined && isNotModified(preconditions, { tag: parseTag(etag) });
}

function toHttpResponse({ headers, body }: StaticFile): NamedHttpResponse {
  return { status: 200, headers, body };
}
