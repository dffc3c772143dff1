import { LRUCache } from 'lru-cache';
import type { GenerationBound } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Codings } from '../../gateway/platform/http/response/compress.ts';
import { guardRawRequest } from '../../gateway/platform/http/request/raw-request-guard.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { InterfaceDescription } from '../openapi/describe-table.ts';
import { type DescriptionFormat, printDescription } from '../openapi/print-description.ts';
import type { AnswerRequest } from './answer-request.ts';
import { type CodedFile, createCodedFile } from './coded-file.ts';
import { createDocsPage } from './docs-page.ts';
import { splitTarget } from './find-route.ts';
import type { IncomingRequest } from './incoming-request.ts';

export interface DescriptionDoorOptions {
  /** In which content codings the page may go. */
  readonly codings: Codings;
  readonly table: GenerationBound<{ readonly description: DescriptionFiles }>;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

/** The texts of one generation's description. */
export interface DescriptionFiles {
  readonly versions: readonly number[];
  /** @param version @defaultValue the one that answers who names none */
  file(version: number | undefined, format: DescriptionFormat, basePath: string): CodedFile | undefined;
}

/** `/openapi.json`, `/v2/openapi.yaml` */
const DESCRIPTION_PATH = /^(?:\/v([1-9]\d{0,8}))?\/openapi\.(json|yaml)$/;

const CONTENT_TYPES: Readonly<Record<DescriptionFormat, string>> = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8', // RFC 9512
};

const METHODS = 'GET, HEAD, OPTIONS';

/** Texts kept: two formats of some versions, below some paths of other servers. @unit entries */
const KEPT_FILES = 32;

/** Descriptions are printed when they are first asked for: a gateway that starts has no use for them. */
export function createDescriptionFiles({ versions, describe }: InterfaceDescription, codings: Codings): DescriptionFiles {
  const kept = new LRUCache<string, CodedFile>({ max: KEPT_FILES });
  return {
    versions: versions.all,
    file(version = versions.default, format, basePath) {
      if (!versions.all.includes(version)) return undefined;
      const key = `${version} ${format} ${basePath}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const headers = { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-cache' };
      const file = createCodedFile(printDescription(describe(version, basePath), format), headers, codings);
      kept.set(key, file);
      return file;
    },
  };
}

/**
 * Answers the paths of the description and of its page, and leaves all others to `next`. They stand once, below no mount: a
 * description tells of all mounts.
 */
export function withDescription(next: AnswerRequest, { table, maxUrlBytes, codings }: DescriptionDoorOptions): AnswerRequest {
  const page = createDocsPage(codings);

  /** @param match of `DESCRIPTION_PATH`; null for the page */
  async function answerDescribed({ request, basePath }: IncomingRequest, path: string, match: RegExpExecArray | null): Promise<NamedReply> {
    guardRawRequest(request, { maxUrlBytes });
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow: METHODS }, body: '' };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Descriptions are read by GET.', { headers: { allow: METHODS } });
    }
    using pinned = table.acquire();
    const { description } = pinned.value;
    const [, version, format] = match ?? [];
    const file =
      match === null
        ? page.file(path, description.versions)
        : description.file(version === undefined ? undefined : Number(version), format as DescriptionFormat, basePath);
    if (file === undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    return file.reply(request);
  }

  return (incoming) => {
    const { path } = splitTarget(incoming.request.url ?? '/');
    const match = DESCRIPTION_PATH.exec(path);
    return match === null && !page.isPath(path) ? next(incoming) : answerDescribed(incoming, path, match);
  };
}
