import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { SubgraphSource } from '../gateway/supergraph/compose-subgraphs.ts';
import { CommandFailed } from './command-failed.ts';

const compositionFile = z.strictObject({
  output: z.string().min(1).meta({ description: 'Where the supergraph goes, relative to this file.' }),
  subgraphs: z.record(
    z.string().min(1),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({ description: 'Where a gateway finds the subgraph when nothing else is said.' }),
      files: z.array(z.string().min(1)).min(1).meta({ description: 'SDL files, relative to this file; read as one document.' }),
    }),
  ),
});

/** What there is to compose, and where the result goes. */
export interface CompositionInput {
  /** Absolute path. */
  readonly output: string;
  /** With every file read; their paths are relative to the working directory, so that a terminal can open them. */
  readonly subgraphs: readonly SubgraphSource[];
}

/**
 * Reads a composition file and every SDL file that it names.
 *
 * @throws CommandFailed when it, or a file it names, is missing or malformed
 */
export async function readComposition(path: string): Promise<CompositionInput> {
  const directory = dirname(resolve(path));
  const { output, subgraphs } = checkFile(path, await readText(path));
  return {
    output: resolve(directory, output),
    subgraphs: await Promise.all(
      Object.entries(subgraphs).map(async ([name, { url, files }]) => ({
        name,
        url,
        files: await Promise.all(files.map(async (file) => readSource(resolve(directory, file)))),
      })),
    ),
  };
}

function checkFile(path: string, text: string): z.output<typeof compositionFile> {
  const parsed = compositionFile.safeParse(parseDocument(path, text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw new CommandFailed([`${path} does not describe a composition.`, ...problems].join('\n'));
}

function parseDocument(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new CommandFailed(`${path} is no YAML: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function readSource(path: string): Promise<{ readonly path: string; readonly text: string }> {
  const shown = relative(process.cwd(), path);
  return { path: shown, text: await readText(shown) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`${path} cannot be read.`, { cause });
  }
}
