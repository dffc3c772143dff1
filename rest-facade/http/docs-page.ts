import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Codings } from '../../gateway/platform/http/response/compress.ts';
import { PAGE_SECURITY } from '../../gateway/platform/http/response/send-response.ts';
import { createStaticFile } from '../../gateway/platform/http/response/static-file.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { type CodedFile, createCodedFile, replyOnCondition } from './coded-file.ts';

/** The page that shows the description, with everything it is made of. */
export interface DocsPage {
  isPath(path: string): boolean;
  /** Undefined where there is nothing at a path that is the page's. */
  file(path: string, versions: readonly number[]): CodedFile | undefined;
}

/** Where it stands, below where the facade is mounted. */
export const PAGE_PATH = '/docs';
const ASSET_PREFIX = '/docs/';
const INITIALIZER = 'initializer.js';

/** What the page needs of the package; the rest of it has no address. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Only what comes from here runs; the page styles itself from script, and its style sheet carries its pictures. */
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

/** Addresses are relative, so that the page is the same wherever the facade is mounted. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REST interface</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-standalone-preset.js"></script>
<script src="docs/initializer.js"></script>
</body>
</html>
`;

/** The validator that the package names by itself is somebody else's: nothing is sent there. */
function initializer(versions: readonly number[]): string {
  const urls = versions.map((version) => ({ url: `v${version}/openapi.json`, name: `Version ${version}` }));
  return `SwaggerUIBundle({
  dom_id: '#page',
  urls: ${JSON.stringify(urls)},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  validatorUrl: null,
});
`;
}

/** Revalidated each time: names of assets stay the same when their content changes. */
const UNCHANGED_OR_NEW = { 'cache-control': 'no-cache' } as const;

/** The page of Swagger UI, of files of this installation alone. They are read when the page is first asked for. */
export function createDocsPage(codings: Codings): DocsPage {
  const kept = new Map<string, CodedFile>();
  const page = createCodedFile(
    PAGE,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      ...UNCHANGED_OR_NEW,
      ...PAGE_SECURITY,
    },
    codings,
  );

  function asset(name: string): CodedFile | undefined {
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (type === undefined) return undefined;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const content = readFileSync(join(assetDirectory(), name));
    const headers = { 'content-type': type, ...UNCHANGED_OR_NEW };
    const file = type.startsWith('text/') ? createCodedFile(content.toString(), headers, codings) : asItIs(content, headers);
    kept.set(name, file);
    return file;
  }

  return {
    isPath: (path) => path === PAGE_PATH || path.startsWith(ASSET_PREFIX),
    file(path, versions) {
      if (path === PAGE_PATH) return page;
      const name = path.slice(ASSET_PREFIX.length);
      if (name !== INITIALIZER) return asset(name);
      return createCodedFile(initializer(versions), { 'content-type': 'text/javascript; charset=utf-8', ...UNCHANGED_OR_NEW }, codings);
    },
  };
}

/** Pictures are compressed already. */
function asItIs(content: Buffer, headers: OutgoingHttpHeaders): CodedFile {
  const file = createStaticFile(content, headers);
  return { reply: async (request) => replyOnCondition(file, request) };
}

function assetDirectory(): string {
  return join(packageRoot, 'dist', 'swagger-ui');
}
