import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../targets/paths.ts';

const BEGIN = '<!-- Written by npm run bench federation: begin -->';
const END = '<!-- Written by npm run bench federation: end -->';

/** Writes the tables of a whole run into docs/operate/performance.md. @throws Error when the page has no markers for them */
export async function writePage(block: string): Promise<void> {
  const file = join(checkout, 'docs/operate/performance.md');
  const page = await readFile(file, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${file} does not contain the markers "${BEGIN}" and "${END}" for the tables.`);
  await writeFile(file, `${page.slice(0, begin)}${BEGIN}\n\n${block}\n\n${page.slice(end)}`);
}
