import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { requirePackages } from '../gateway/platform/require-packages.ts';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { CommandFailed } from './command-failed.ts';
import type { ProductConfig } from './configuration.ts';
import { describeCompositionProblems } from './describe-composition-problems.ts';
import { readComposition } from './read-composition.ts';

/** Whether a path is that of a composition file. */
export function isComposition(path: string): boolean {
  return ['.yaml', '.yml'].includes(extname(path));
}

/** Reads the SDL of a file, or composes that of a composition file. @throws CommandFailed if the file cannot be read or composed */
export async function readSupergraphFile(path: string): Promise<string> {
  return isComposition(path) ? compose(path) : readText(path, `${path} cannot be read. Check the path and its permissions.`);
}

/**
 * Reads the configured supergraph, or composes that of a composition file.
 *
 * @throws CommandFailed if none is configured, or its file cannot be read or composed
 */
export async function readConfiguredSupergraph({ supergraph: { sdl, file } }: Pick<ProductConfig, 'supergraph'>): Promise<string> {
  if (sdl !== undefined) return sdl;
  if (file === undefined) {
    throw new CommandFailed('No supergraph to read. Pass a file with --supergraph, or set supergraph.file in the configuration.', {
      exitCode: 2,
    });
  }
  if (isComposition(file)) return compose(file);
  return readText(file, `The supergraph file ${file} cannot be read. Check the path, or run \`gatefold compose\` to write one.`);
}

async function compose(path: string): Promise<string> {
  requirePackages(['@apollo/composition'], `the composition file ${path}`);
  const { subgraphs } = await readComposition(path);
  const composition = composeSubgraphs(subgraphs);
  if (composition.errors === undefined) return composition.supergraphSdl;
  throw new CommandFailed(describeCompositionProblems(composition.errors), { code: 'COMPOSITION_FAILED', problems: composition.errors });
}

async function readText(path: string, message: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandFailed(message, { cause });
  }
}
