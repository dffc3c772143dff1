import { join } from 'node:path';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { OmittedField } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import { readProductConfig } from '../configuration.ts';
import { draftRestDocuments } from '../draft-rest-documents.ts';
import { printJson } from '../json-output.ts';
import { readConfiguredSupergraph } from '../read-supergraph.ts';
import { type ReadGraph, readGraph } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';
import { makeOutputDirectory, writeOutput } from '../write-output.ts';

export interface RestInitOptions {
  readonly supergraph?: string;
  readonly out: string;
  readonly json?: boolean;
}

/**
 * Writes draft REST documents for a graph, and prints the root fields that it leaves out. Existing files are not overwritten.
 *
 * @throws CommandFailed
 */
export async function restInit({ supergraph, out, json = false }: RestInitOptions, terminal: Terminal): Promise<void> {
  const { documents, omitted } = draftRestDocuments(
    supergraph === undefined ? await readConfiguredGraph(terminal) : await readGraph(supergraph),
  );
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

/** Reads the supergraph of the configuration. The directory of the REST documents need not exist yet. */
async function readConfiguredGraph(terminal: Terminal): Promise<ReadGraph> {
  return loadSupergraph(await readConfiguredSupergraph(await readProductConfig({}, { profile: 'production' }, terminal)));
}

function toLine({ field, reason }: OmittedField): string {
  return `  ${field}: ${reason}.`;
}
