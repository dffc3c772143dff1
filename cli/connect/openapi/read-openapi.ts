import { createReadStream } from 'node:fs';
import { createTextClient, shownUrl } from '../../../gateway/platform/http/client/fetch-text.ts';
import { CommandFailed } from '../../command-failed.ts';
import { openDocument, type OpenApiDocument } from './openapi-document.ts';

/** Maximum size of a document. @unit bytes */
const MAX_BYTES = 20_971_520;
/** Timeout for fetching a document. @unit milliseconds */
const TIMEOUT_MS = 30_000;
/** Maximum number of aliases that a YAML document resolves. A few lines with aliases can describe an object of any size. */
const MAX_ALIASES = 100;

/**
 * Reads an OpenAPI document from a file or a URL, as JSON or YAML. It fetches nothing but this URL.
 *
 * @throws CommandFailed if the document cannot be read, is too large or is not OpenAPI 3.0 or 3.1
 */
export async function readOpenApi(location: string): Promise<OpenApiDocument> {
  if (!/^https?:\/\//i.test(location)) return openDocument(await parseDocument(await readDocumentFile(location), location), location);
  if (!URL.canParse(location)) throw new CommandFailed(`${location} is not a valid URL.`);
  const shown = shownUrl(location);
  return openDocument(await parseDocument(await fetchDocument(location, shown), shown), shown, location);
}

async function fetchDocument(url: string, shown: string): Promise<string> {
  await using client = createTextClient();
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: new AbortController().signal };
  const headers = { accept: 'application/openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5' };
  const { status, text } = await client.fetch({ url, method: 'GET', headers }, limits);
  if (status >= 200 && status < 300) return text;
  throw new CommandFailed(`${shown} responded with the status ${status}. Expected 200 and an OpenAPI document.`);
}

async function readDocumentFile(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new CommandFailed(`${path} is too large. An OpenAPI document can have at most ${MAX_BYTES} bytes.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw new CommandFailed(`The OpenAPI document ${path} cannot be read. Check the path and its permissions.`, { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses JSON, or else YAML. The YAML parser is loaded on demand, because it is large. */
async function parseDocument(text: string, shown: string): Promise<unknown> {
  const content = text.replace(/^\uFEFF/, '');
  const isJson = /^\s*\{/.test(content);
  try {
    if (isJson) return JSON.parse(content) as unknown;
  } catch (cause) {
    // Objects of YAML may begin with a brace too.
    if (/^\s*\{\s*"/.test(content)) throw notParsed(shown, 'JSON', cause);
  }
  const { parse } = await import('yaml');
  try {
    return parse(content, { maxAliasCount: MAX_ALIASES, logLevel: 'error', uniqueKeys: false }) as unknown;
  } catch (cause) {
    throw notParsed(shown, 'JSON or YAML', cause);
  }
}

function notParsed(shown: string, format: string, cause: unknown): CommandFailed {
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return new CommandFailed(`${shown} is not valid ${format}: ${reason}`, { cause });
}
