import { join, relative } from 'node:path';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { OmittedField } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import { readProductConfig } from '../configuration.ts';
import { draftRestDocuments } from '../draft-rest-documents.ts';
import { printJson } from '../json-output.ts';
import { readConfiguredSupergraph } from '../read-supergraph.ts';
import { readGraph } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';
import { makeOutputDirectory, writeOutput } from '../write-output.ts';

export interface RestInitOptions {
  readonly supergraph?: string;
  /** Output directory. @defaultValue `rest.documents` of the configuration */
  readonly out?: string;
  readonly json?: boolean;
}

/** Directory of the documents if no configuration names one. */
const DEFAULT_DIRECTORY = 'schema/rest';

/**
 * Writes draft REST documents for a graph, and prints the root fields that it leaves out. Existing files are not overwritten.
 *
 * @throws CommandFailed
 */
export async function restInit({ supergraph, json = false, ...options }: RestInitOptions, terminal: Terminal): Promise<void> {
  const readConfig = () => readProductConfig({}, { profile: 'production' }, terminal);
  const out = options.out ?? relativeToHere((await readConfig()).rest?.documents ?? DEFAULT_DIRECTORY);
  const graph = supergraph === undefined ? loadSupergraph(await readConfiguredSupergraph(await readConfig())) : await readGraph(supergraph);
  const { documents, omitted } = draftRestDocuments(graph);
  if (documents.length === 0) {
    throw new CommandFailed(
      [
        `${supergraph ?? 'The supergraph'} has no possible resources, because no root field returns an object:`,
        ...omitted.map(toLine),
      ].join('\n'),
    );
  }
  await makeOutputDirectory(out);
  for (const { path, text } of documents) {
    const file = join(out, path);
    await writeOutput(file, text, 'wx');
    if (!json) terminal.print(`Wrote ${file}.`);
  }
  if (json) {
    printJson(terminal, { directory: out, files: documents.map(({ path }) => join(out, path)), omitted });
    return;
  }
  if (omitted.length > 0)
    terminal.print([`Left out ${omitted.length === 1 ? '1 field' : `${omitted.length} fields`}:`, ...omitted.map(toLine)].join('\n'));
  terminal.print('The documents are drafts. Check those of mutations first: their methods, paths and statuses follow from names.');
}

/** Returns a shorter path for messages. */
function relativeToHere(directory: string): string {
  const path = relative(process.cwd(), directory);
  return path.startsWith('..') ? directory : path;
}

function toLine({ field, reason }: OmittedField): string {
  return `  ${field}: ${reason}.`;
}
