import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../targets/paths.ts';

/**
 * Writes the tables of a whole run into docs/operate/performance.md, between the markers of the benchmark.
 *
 * @throws Error when the page has no markers for them
 */
export async function writePage(benchmark: 'federation' | 'native', block: string): Promise<void> {
  const [first, last] = [markerOf(benchmark, 'begin'), markerOf(benchmark, 'end')];
  const file = join(checkout, 'docs/operate/performance.md');
  const page = await readFile(file, 'utf8');
  const [begin, end] = [page.indexOf(first), page.indexOf(last)];
  if (begin === -1 || end < begin) throw new Error(`${file} does not contain the markers "${first}" and "${last}" for the tables.`);
  await writeFile(file, `${page.slice(0, begin)}${first}\n\n${block}\n\n${page.slice(end)}`);
}

function markerOf(benchmark: string, position: 'begin' | 'end'): string {
  return `<!-- Written by npm run bench ${benchmark}: ${position} -->`;
}
