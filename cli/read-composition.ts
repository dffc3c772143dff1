import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';

const compositionFile = z.strictObject({
  output: z.string().min(1).meta({ description: 'Where the supergraph goes, relative to this file.' }),
  subgraphs: z.record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'a subgraph name has letters, digits, _ and -, and starts with a letter'),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({ description: 'Where a gateway finds the subgraph when nothing else is said.' }),
      files: z.array(z.string().min(1)).min(1).meta({ description: 'SDL files, relative to this file; they are read as one document.' }),
    }),
  ),
});

/** One subgraph with its texts read. `files[].path` is relative to the working directory, as an editor likes it. */
export interface SubgraphFiles {
  readonly name: string;
  readonly url: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** What there is to compose, and where the result goes. */
export interface CompositionInput {
  readonly output: string;
  readonly subgraphs: readonly SubgraphFiles[];
}

/**
 * Reads a composition file and every SDL file that it names.
 *
 * @throws Error with a sentence for the person who wrote the file, when it or a file it names is missing or malformed
 */
export async function readComposition(path: string): Promise<CompositionInput> {
  const directory = dirname(resolve(path));
  const parsed = compositionFile.safeParse(parseYaml(await readText(path)));
  if (!parsed.success) throw new Error(`${path} does not describe a composition.\n${z.prettifyError(parsed.error)}`);
  const subgraphs = await Promise.all(
    Object.entries(parsed.data.subgraphs).map(async ([name, { url, files }]) => ({
      name,
      url,
      files: await Promise.all(files.map(async (file) => readSource(resolve(directory, file)))),
    })),
  );
  return { output: resolve(directory, parsed.data.output), subgraphs };
}

async function readSource(path: string): Promise<{ readonly path: string; readonly text: string }> {
  return { path: relative(process.cwd(), path), text: await readText(path) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
