import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Coding, Codings } from '../../gateway/platform/http/response/compress.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import { type StaticFile, createStaticFile } from '../../gateway/platform/http/response/static-file.ts';
import { readPreconditions } from '../request/read-preconditions.ts';
import { isNotModified } from '../response/conditional.ts';
import { toNotModified } from '../response/deliver-answer.ts';
import { inCoding, parseTag } from '../response/entity-tag.ts';

/** A text as it is served: whole, in the content coding that its client wants most. */
export interface CodedFile {
  /** Rejects with `PRECONDITION_FAILED`, and with `BAD_REQUEST` for conditions that cannot be read. */
  reply(request: Pick<IncomingMessage, 'headers'>): Promise<NamedReply>;
}

/**
 * The text is compressed when somebody first asks for it so, and kept. In each coding it has another entity tag (RFC 9110, section
 * 8.8.3.3), and whoever has it already waits for no compression.
 */
export function createCodedFile(text: string, headers: OutgoingHttpHeaders, { choose, encode }: Codings): CodedFile {
  const plain = createStaticFile(text, { ...headers, vary: 'Accept-Encoding' });
  const kept = new Map<Coding, Promise<StaticFile>>();

  async function encoded(coding: Coding, etag: string): Promise<StaticFile> {
    return { body: Buffer.from(await encode(coding, text)), etag, headers: { ...plain.headers, etag, 'content-encoding': coding } };
  }

  return {
    async reply(request) {
      const coding = choose(request.headers['accept-encoding'], text);
      if (coding === undefined) return replyOnCondition(plain, request);
      const etag = inCoding(plain.etag, coding);
      if (isKnown(etag, request)) return toNotModified({ headers: { ...plain.headers, etag } });
      const file = kept.get(coding) ?? encoded(coding, etag);
      kept.set(coding, file);
      return toReply(await file);
    },
  };
}

/** The file as it is; 304 where the client has it. @throws GatewayError as `CodedFile.reply` */
export function replyOnCondition(file: StaticFile, request: Pick<IncomingMessage, 'headers'>): NamedReply {
  return isKnown(file.etag, request) ? toNotModified(file) : toReply(file);
}

function isKnown(etag: string, { headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const preconditions = readPreconditions(headers, true);
  return preconditions !== undefined && isNotModified(preconditions, { tag: parseTag(etag) });
}

function toReply({ headers, body }: StaticFile): NamedReply {
  return { status: 200, headers, body };
}
