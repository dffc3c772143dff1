/**
 * Measures the language of the project: doc comments that begin with a relative pronoun or a preposition, words to avoid, and the length of
 * test titles, by folder.
 *
 * Duration: about 10 seconds
 *
 * `VOCABULARY_OF`: another checkout to measure instead of this one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { vocabularyViolations } from '../architecture/vocabulary/rules.ts';
import { readTexts } from '../architecture/vocabulary/texts.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';

const FOLDERS = ['gateway', 'rest-facade', 'subgraphs', 'cli', 'schema', 'studio', 'tests', 'bench', 'docs', 'other files'];
const LONG_TITLE = 80;

interface Count {
  docComments: number;
  relativeStarts: number;
  otherViolations: number;
  titles: number;
  longTitles: number;
}

const checkout = resolve(process.env['VOCABULARY_OF'] ?? packageRoot);
const files = execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).trim().split('\n');
const counts = new Map<string, Count>();
const lines: string[] = [];

for (const path of files.filter((file) => !file.endsWith('package-lock.json'))) {
  const folder = FOLDERS.find((name) => path.startsWith(`${name}/`)) ?? 'other files';
  const count = counts.get(folder) ?? { docComments: 0, relativeStarts: 0, otherViolations: 0, titles: 0, longTitles: 0 };
  counts.set(folder, count);
  const source = readFileSync(join(checkout, path), 'utf8');
  const texts = readTexts(path, source);
  const titles = texts.filter(({ kind }) => kind === 'test title');
  count.docComments += texts.filter(({ kind }) => kind === 'doc comment').length;
  count.titles += titles.length;
  count.longTitles += titles.filter(({ text }) => text.length > LONG_TITLE).length;
  for (const line of vocabularyViolations(path, source)) {
    lines.push(line);
    if (line.includes(': doc comments begin')) count.relativeStarts += 1;
    else count.otherViolations += 1;
  }
}

const total = [...counts.values()].reduce((sum, count) => ({
  docComments: sum.docComments + count.docComments,
  relativeStarts: sum.relativeStarts + count.relativeStarts,
  otherViolations: sum.otherViolations + count.otherViolations,
  titles: sum.titles + count.titles,
  longTitles: sum.longTitles + count.longTitles,
}));
const percent = (part: number, whole: number) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
console.table(
  Object.fromEntries(
    [...FOLDERS.flatMap((name) => (counts.has(name) ? [[name, counts.get(name)] as const] : [])), ['all', total] as const].map(
      ([name, count = total]) => [
        name,
        {
          'doc comments': count.docComments,
          'begin with a relative pronoun or preposition': `${count.relativeStarts} (${percent(count.relativeStarts, count.docComments)})`,
          'other violations': count.otherViolations,
          'test titles': count.titles,
          [`longer than ${LONG_TITLE} characters`]: `${count.longTitles} (${percent(count.longTitles, count.titles)})`,
        },
      ],
    ),
  ),
);
if (process.argv.includes('--list')) console.log(lines.join('\n'));
process.exitCode = lines.length === 0 ? 0 : 1;
