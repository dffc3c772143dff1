import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import { extname, join, relative, sep } from 'node:path';
import type { GraphiqlSession } from './graphiql-session.ts';
import { GatewayError } from '../../platform/errors.ts';
import { NO_STORE, PAGE_SECURITY, type HttpResponse, sendResponse } from '../../platform/http/response/send-response.ts';
import { type StaticFile, createStaticFile, fileResponse } from '../../platform/http/response/static-file.ts';

/** Sentence for browsers that request a page which is not served. */
export const GRAPHIQL_IS_OFF = 'GraphiQL is off, which is the default of the production profile (setting graphql.graphiql).';

/** Handles a path of the GraphiQL pages. Returns false for every other path. */
export type PageHandler = (path: string, request: ReceivedRequest, response: OutgoingResponse) => boolean;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Policy that allows only scripts of this origin. The editor sets styles from scripts, and its style sheet contains its fonts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_PATHS: ReadonlySet<string> = new Set(['/', '/studio', '/studio/', '/graphql']);
const ASSET_PREFIX = '/studio/';
/** Path from which the page reads its tokens and its first query. */
const SESSION_PATH = '/studio/session.json';
const METHODS = 'GET, HEAD, OPTIONS';

const NOT_BUILT: HttpResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', vary: 'Accept' },
  body: 'GraphiQL has not been built. Run "npm run build" and start the gateway again.\n',
};

/**
 * Serves the GraphiQL page at `/`, `/studio` and, for browsers, `/graphql`, and its assets below `/studio/`. The files are read once at
 * startup. Later files have no path, so no request path can leave the directory.
 *
 * @param directory output directory of `npm run build`
 * @param session data with which the page starts
 */
export function createGraphiqlHandler(directory: string, session: GraphiqlSession): PageHandler {
  const files = readFiles(directory);
  const page = files.get('index.html');

  return (path, request, response) => {
    if (!isPagePath(path)) return false;
    const isPage = PAGE_PATHS.has(path);
    if (request.method === 'OPTIONS') {
      sendResponse(request, response, { status: 204, headers: { ...NO_STORE, allow: METHODS }, body: '' });
      return true;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Pages support only GET and HEAD.', { headers: { allow: METHODS } });
    }
    if (path === SESSION_PATH) {
      session.respond(request).then(
        (httpResponse) => sendResponse(request, response, httpResponse),
        () => response.destroy(),
      );
      return true;
    }
    const file = isPage ? page : files.get(path.slice(ASSET_PREFIX.length));
    if (file !== undefined) sendResponse(request, response, fileResponse(file, request));
    else if (page === undefined) sendResponse(request, response, NOT_BUILT);
    else throw new GatewayError('NOT_FOUND', 'This path does not exist.');
    return true;
  };
}

/** Whether a path belongs to the page or its assets. */
export function isPagePath(path: string): boolean {
  return path.startsWith(ASSET_PREFIX) || PAGE_PATHS.has(path);
}

/** Reads the files by path relative to the directory, with forward slashes. The map is empty when the directory does not exist. */
function readFiles(directory: string): ReadonlyMap<string, StaticFile> {
  return new Map(listFiles(directory).map((name) => [name.split(sep).join('/'), readStaticFile(join(directory, name), name)]));
}

function listFiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [relative(directory, join(entry.parentPath, entry.name))] : []));
}

/** Files by path. All gateways of a process share them, because the files total 7 MB. */
const lastRead = new Map<string, { readonly version: string; readonly content: StaticFile }>();

function readStaticFile(file: string, name: string): StaticFile {
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  const version = [size, mtimeMs, ctimeMs, ino].join(' ');
  const last = lastRead.get(file);
  if (last?.version === version) return last.content;
  const content = describeFile(readFileSync(file), name);
  lastRead.set(file, { version, content });
  return content;
}

function describeFile(content: Buffer, name: string): StaticFile {
  const isPage = extname(name) === '.html';
  return createStaticFile(content, {
    'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    // The names of assets change with their content, and the page refers to them.
    'cache-control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
    ...(isPage ? { vary: 'Accept', 'content-security-policy': CONTENT_SECURITY_POLICY, ...PAGE_SECURITY } : {}),
  });
}
