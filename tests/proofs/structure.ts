/**
 * Measures the structure of `gateway` and `rest-facade`: sizes of files, files that only one other file imports, names with two meanings,
 * folders that import each other, and the files that a warm request runs through.
 *
 * Duration: about 1 minute
 *
 * `STRUCTURE_OF`: another checkout to measure instead of this one, with its packages installed.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { filesPassedByRequests } from './structure/passed-files.ts';
import { readSources } from './structure/read-sources.ts';
import {
  foldersImportingEachOther,
  namesWithTwoMeanings,
  optionalMembersOf,
  sizesOf,
  smallFilesWithOneImporter,
} from './structure/measures.ts';

const checkout = resolve(process.env['STRUCTURE_OF'] ?? packageRoot);
const sources = readSources(checkout, ['gateway', 'rest-facade']);
const { count, median, ninetieth, largest, below40 } = sizesOf(sources);
const names = namesWithTwoMeanings(sources);
const mutual = foldersImportingEachOther(sources);
const helper = ['tests/support/stack/reference-stack.ts', 'tests/support/reference-stack.ts'].find((path) =>
  existsSync(join(checkout, path)),
);
if (helper === undefined) throw new Error(`${checkout} has no helper that starts the reference graph.`);
const passed = await filesPassedByRequests(checkout, join(checkout, helper));

console.table({
  files: count,
  'lines of a file, median': median,
  'lines of a file, 90th percentile': ninetieth,
  'lines of a file, largest': largest,
  'files under 40 lines': below40,
  'files under 60 lines with one importer, in their own folder': smallFilesWithOneImporter(sources).length,
  'optional members of the options of the pipeline': optionalMembersOf(
    sources,
    /pipeline\/(run-operation|pipeline)\.ts$/,
    /^Pipeline(Options|Dependencies)$/,
  ),
  'exported names with two meanings': names.length,
  'pairs of folders that import each other': mutual.length,
  'files passed by a warm POST /graphql': passed.graphql.length,
  'files passed by a warm GET /books?size=3': passed.rest.length,
});
for (const name of names) console.log(`two meanings: ${name}`);
for (const pair of mutual) console.log(`mutual import: ${pair}`);
if (process.argv.includes('--files'))
  console.log(`POST /graphql:\n${passed.graphql.join('\n')}\n\nGET /books?size=3:\n${passed.rest.join('\n')}`);
process.exit(0);
