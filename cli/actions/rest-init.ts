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

/** Writes draft REST documents for a graph. Existing files are not overwritten. @throws CommandFailed */
export async function restInit({ supergraph, out }: RestInitOptions, terminal: Terminal): Promise<void> {
  const documents = draftDocuments(await readPublicSchema(supergraph));
  if (documents.length === 0) throw new CommandFailed(`${supergraph} has no possible resources, because no root field returns an object.`);
  await mkdir(out, { recursive: true });
  for (const { path, text } of documents) {
    const file = join(out, path);
    try {
      await writeFile(file, text, { flag: 'wx' });
    } catch (cause) {
      throw new CommandFailed(`${file} already exists or cannot be written. Use --out to write to an empty directory.`, { cause });
    }
    terminal.print(`Wrote ${file}.`);
  }
}
