import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { draftDocuments } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import { readPublicSchema } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';

export interface RestInitOptions {
  readonly supergraph: string;
  readonly out: string;
}

/** Writes first REST documents for a graph. Files that are there stay as they are. @throws CommandFailed */
export async function restInit({ supergraph, out }: RestInitOptions, terminal: Terminal): Promise<void> {
  const documents = draftDocuments(await readPublicSchema(supergraph));
  if (documents.length === 0) throw new CommandFailed(`${supergraph} has nothing that could be a resource: no root field gives an object.`);
  await mkdir(out, { recursive: true });
  for (const { path, text } of documents) {
    const file = join(out, path);
    try {
      await writeFile(file, text, { flag: 'wx' });
    } catch (cause) {
      throw new CommandFailed(`${file} is there already, or cannot be written. Name an empty directory with --out.`, { cause });
    }
    terminal.print(`Wrote ${file}.`);
  }
}
