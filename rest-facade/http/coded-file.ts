import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Coding, Codings } from '../../gateway/platform/http/compress.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';
import { type StaticFile, createStaticFile, fileReply } from '../../gateway/platform/http/static-file.ts';
import { inCoding } from '../response/entity-tag.ts';

/** A text as it is served: whole, in the content coding that its client wants most. */
export interface CodedFile {
  reply(request: Pick<IncomingMessage, 'headers'>): Promise<NamedReply>;
}

/**
 * The text is compressed when somebody first asks for it so, and kept. In each coding it has another entity tag (RFC 9110, section
 * 8.8.3.3), and whoever has it already waits for no compression.
 */
export function createCodedFile(text: string, headers: OutgoingHttpHeaders, { choose, encode }: Codings): CodedFile {
  const plain = createStaticFile(text, { ...headers, vary: 'Accept-Encoding' });
  const kept = new Map<Coding, Promise<StaticFile>>();

  function bodyless(coding: Coding): StaticFile {
    const etag = inCoding(plain.etag, coding);
    return { body: Buffer.alloc(0), etag, headers: { ...plain.headers, etag } };
  }

  async function encoded(coding: Coding): Promise<StaticFile> {
    const { etag, headers: own } = bodyless(coding);
    return { body: Buffer.from(await encode(coding, text)), etag, headers: { ...own, 'content-encoding': coding } };
  }

  return {
    async reply(request) {
      const coding = choose(request.headers['accept-encoding'], text);
      if (coding === undefined) return fileReply(plain, request);
      const known = fileReply(bodyless(coding), request);
      if (known.status === 304) return known;
      const file = kept.get(coding) ?? encoded(coding);
      kept.set(coding, file);
      return fileReply(await file, request);
    },
  };
}
