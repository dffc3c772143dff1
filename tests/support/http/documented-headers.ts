import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Names of the response headers of `docs/reference/http-headers.md`, in lower case. */
const documented: ReadonlySet<string> = readDocumentedHeaders();

function readDocumentedHeaders(): ReadonlySet<string> {
  const page = readFileSync(join(packageRoot, 'docs/reference/http-headers.md'), 'utf8');
  const section = page.slice(page.indexOf('## Response headers'), page.indexOf('## Headers to subgraphs'));
  const cells = [...section.matchAll(/^\| (?<cell>[^|]+) \|/gm)].map(({ groups }) => groups?.['cell'] ?? '');
  const names = cells.flatMap((cell) => cell.match(/[^`]+(?=`)/g) ?? []);
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Lists the headers of a response that the reference page does not have. */
export function undocumentedHeaders(names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => !documented.has(name.toLowerCase()));
}
