import { readFile } from 'node:fs/promises';
import { APOLLO_FORMAT } from '../../gateway/persisted/read-manifest.ts';
import { fileFailureSuffix } from '../../gateway/platform/file-errors.ts';
import { addTypenames } from '../client-documents/add-typenames.ts';
import { extractOperations, type SourceText } from '../client-documents/extract-operations.ts';
import { findFiles } from '../client-documents/find-files.ts';
import { CommandFailed } from '../command-failed.ts';
import { printJson } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from '../write-output.ts';

export interface ClientVersion {
  readonly name: string;
  readonly version: string;
}

export interface PersistOptions {
  readonly out: string;
  readonly client: ClientVersion;
  readonly typename?: boolean;
  readonly json?: boolean;
}

/** Writes the manifest of a client. The output is deterministic. @throws CommandFailed */
export async function persist(
  patterns: readonly string[],
  { out, client, typename, json = false }: PersistOptions,
  terminal: Terminal,
): Promise<void> {
  const sources = await Promise.all((await findFiles(patterns)).map(readSource));
  const operations = extractOperations(sources, typename === true ? addTypenames : (document) => document);
  const manifest = { format: APOLLO_FORMAT, version: 1, client, operations };
  await writeOutput(out, `${JSON.stringify(manifest, null, 2)}\n`);
  if (json) return printJson(terminal, { file: out, client, operations: operations.map(({ id, name, type }) => ({ id, name, type })) });
  terminal.print(
    `Wrote ${out}: ${operations.length} ${operations.length === 1 ? 'operation' : 'operations'} of ${client.name}@${client.version}.`,
  );
}

async function readSource(path: string): Promise<SourceText> {
  try {
    return { path, text: await readFile(path, 'utf8') };
  } catch (cause) {
    throw new CommandFailed(`${path} cannot be read${fileFailureSuffix(cause)}.`, { cause });
  }
}
