import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Codings } from '../../../gateway/platform/http/response/compress.ts';
import { PAGE_SECURITY } from '../../../gateway/platform/http/response/send-response.ts';
import { createStaticFile } from '../../../gateway/platform/http/response/static-file.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { PAGE_SCRIPT, PAGE_STYLE, printPage } from './docs-page-files.ts';
import { createEncodedFile, type EncodedFile, respondConditionally } from './encoded-file.ts';

/** The documentation page with its files. */
export interface DocsPage {
  isPath(path: string): boolean;
  /** Returns the file at a path, or undefined if the page has no such file. */
  file(path: string, description: { readonly title: string; readonly versions: readonly number[] }): EncodedFile | undefined;
}

/** Path of the page, relative to the mount path of the facade. */
export const PAGE_PATH = '/docs';
const ASSET_PREFIX = '/docs/';
/** Files of the page that are part of this module. */
const OWN_FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  'page.css': { type: 'text/css; charset=utf-8', text: PAGE_STYLE },
  'page.js': { type: 'text/javascript; charset=utf-8', text: PAGE_SCRIPT },
};

/** Files of the package that the page uses. No other file is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Allows only scripts of this origin. Swagger UI sets styles from script, and its style sheet contains images as data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Requires revalidation, because the file names do not change with their content. */
const UNCHANGED_OR_NEW = { 'cache-control': 'no-cache' } as const;

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  ...UNCHANGED_OR_NEW,
  ...PAGE_SECURITY,
} as const;

/** Creates the Swagger UI page from local files only. They are read at the first request. */
export function createDocsPage(codings: Codings): DocsPage {
  const stored = new Map<string, EncodedFile>();
  const own = new Map(
    Object.entries(OWN_FILES).map(([name, { type, text }]) => [
      name,
      createEncodedFile(text, { 'content-type': type, ...UNCHANGED_OR_NEW }, codings),
    ]),
  );

  function asset(name: string): EncodedFile | undefined {
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (type === undefined) return undefined;
    const known = stored.get(name);
    if (known !== undefined) return known;
    const content = readFileSync(join(assetDirectory(), name));
    const headers = { 'content-type': type, ...UNCHANGED_OR_NEW };
    const file = type.startsWith('text/') ? createEncodedFile(content.toString(), headers, codings) : asItIs(content, headers);
    stored.set(name, file);
    return file;
  }

  return {
    isPath: (path) => path === PAGE_PATH || path.startsWith(ASSET_PREFIX),
    file(path, description) {
      if (path === PAGE_PATH) return createEncodedFile(printPage(description), PAGE_HEADERS, codings);
      const name = path.slice(ASSET_PREFIX.length);
      return own.get(name) ?? asset(name);
    },
  };
}

/** Serves an image as is, because it is already compressed. */
function asItIs(content: Buffer, headers: OutgoingHttpHeaders): EncodedFile {
  const file = createStaticFile(content, headers);
  return { httpResponse: async (request) => respondConditionally(file, request) };
}

function assetDirectory(): string {
  return join(packageRoot, 'dist', 'swagger-ui');
}
