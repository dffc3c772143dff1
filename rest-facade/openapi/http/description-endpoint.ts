import { LRUCache } from 'lru-cache';
import type { PerGeneration } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { Codings } from '../../../gateway/platform/http/response/compress.ts';
import { guardRawRequest } from '../../../gateway/platform/http/request/raw-request-guard.ts';
import type { NamedHttpResponse } from '../../../gateway/platform/http/response/send-response.ts';
import { splitTarget } from '../../request/request-address.ts';
import type { IncomingRestRequest, RestHandler } from '../../request/request-context.ts';
import type { InterfaceDescription } from '../describe-interface.ts';
import { type DescriptionFormat, printDescription } from '../openapi-document.ts';
import { createDocsPage } from './docs-page.ts';
import { createEncodedFile, type EncodedFile } from './encoded-file.ts';

export interface DescriptionEndpointOptions {
  /** Content codings for the files of the description. */
  readonly codings: Codings;
  readonly table: PerGeneration<{ readonly current: { readonly description: DescriptionFiles } }>;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

/** The API description of one generation as files. */
export interface DescriptionFiles {
  readonly title: string;
  readonly versions: readonly number[];
  /**
   * Returns a file of the description.
   *
   * @param version described version. @defaultValue the version for requests that do not name one
   */
  file(version: number | undefined, format: DescriptionFormat, basePath: string): EncodedFile | undefined;
}

/** Matches `/openapi.json` and `/v2/openapi.yaml`. */
const DESCRIPTION_PATH = /^(?:\/v([1-9]\d{0,8}))?\/openapi\.(json|yaml)$/;

const CONTENT_TYPES: Readonly<Record<DescriptionFormat, string>> = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8', // RFC 9512
};

const METHODS = 'GET, HEAD, OPTIONS';

/** Maximum number of cached files: two formats of some versions, for some base paths. @unit entries */
const CACHED_FILES = 32;

/** Creates the files of a description. They are printed at the first request, because the start of a gateway does not need them. */
export function createDescriptionFiles({ title, versions, describe }: InterfaceDescription, codings: Codings): DescriptionFiles {
  const stored = new LRUCache<string, EncodedFile>({ max: CACHED_FILES });
  return {
    title,
    versions: versions.all,
    file(version = versions.default, format, basePath) {
      if (!versions.all.includes(version)) return undefined;
      const key = `${version} ${format} ${basePath}`;
      const known = stored.get(key);
      if (known !== undefined) return known;
      const headers = { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-cache' };
      const file = createEncodedFile(printDescription(describe(version, basePath), format), headers, codings);
      stored.set(key, file);
      return file;
    },
  };
}

/**
 * Serves the paths of the API description and of the documentation page, and passes all other requests to `next`. These paths exist once
 * and not under each mount, because a description covers all mounts.
 */
export function serveDescription(next: RestHandler, { table, maxUrlBytes, codings }: DescriptionEndpointOptions): RestHandler {
  const page = createDocsPage(codings);

  /** @param match result of `DESCRIPTION_PATH`; null for the documentation page */
  async function respondDescribed(
    { request, basePath }: IncomingRestRequest,
    path: string,
    match: RegExpExecArray | null,
  ): Promise<NamedHttpResponse> {
    guardRawRequest(request, { maxUrlBytes });
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow: METHODS }, body: '' };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'The API description supports only the methods GET, HEAD and OPTIONS.', {
        headers: { allow: METHODS },
      });
    }
    using pinned = table.acquire();
    const { description } = pinned.value.current;
    const [, version, format] = match ?? [];
    const file =
      match === null
        ? page.file(path, description)
        : description.file(version === undefined ? undefined : Number(version), format as DescriptionFormat, basePath);
    if (file === undefined) throw new GatewayError('NOT_FOUND', 'There is no file at this path.');
    return file.httpResponse(request);
  }

  return (incoming) => {
    const { path } = splitTarget(incoming.request.url ?? '/');
    const match = DESCRIPTION_PATH.exec(path);
    return match === null && !page.isPath(path) ? next(incoming) : respondDescribed(incoming, path, match);
  };
}
