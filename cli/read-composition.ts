import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { SdlFile, SubgraphSource } from '../gateway/supergraph/compose-subgraphs.ts';
import { createTextClient } from '../gateway/platform/http/client/fetch-text.ts';
import { introspectSubgraph } from '../gateway/supergraph/sources/introspect-subgraph.ts';
import { CommandFailed } from './command-failed.ts';

const compositionFile = z.strictObject({
  output: z.string().min(1).meta({ description: 'Path of the supergraph, relative to this file.' }),
  subgraphs: z.record(
    z.string().min(1),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({ description: 'Default URL of the subgraph for the gateway.' }),
      files: z.array(z.string().min(1)).min(1).optional().meta({
        description:
          'SDL files, relative to this file, which are read as one document. Default: the SDL is fetched from the subgraph at `url`.',
      }),
      headers: z
        .record(z.string(), z.string().min(1))
        .optional()
        .meta({ description: 'Headers of the request that fetches the SDL of the subgraph.' }),
    }),
  ),
});

type Subgraphs = z.output<typeof compositionFile>['subgraphs'];

/** Timeout for fetching the SDL of one subgraph. @unit milliseconds */
const INTROSPECTION_TIMEOUT_MS = 10_000;
const MAX_SDL_BYTES = 20_971_520;

/** The input of a composition, and the path of its result. */
export interface CompositionInput {
  /** Absolute path of the supergraph. */
  readonly output: string;
  /** Subgraphs with the content of all files. Paths are relative to the working directory, so that a terminal can open them. */
  readonly subgraphs: readonly SubgraphSource[];
}

/**
 * Reads a composition file and its SDL files, and fetches the SDL of subgraphs without files.
 *
 * @throws CommandFailed if a file is missing or malformed, or a subgraph does not return its SDL
 */
export async function readComposition(path: string): Promise<CompositionInput> {
  const directory = dirname(resolve(path));
  const { output, subgraphs } = checkFile(path, await readText(path));
  const introspected = await introspectAll(subgraphs);
  return {
    output: resolve(directory, output),
    subgraphs: await Promise.all(
      Object.entries(subgraphs).map(async ([name, { url, files = [] }]) => ({
        name,
        url,
        files: introspected.get(name) ?? (await Promise.all(files.map(async (file) => readSource(resolve(directory, file))))),
      })),
    ),
  };
}

/** Fetches the SDL of the subgraphs without files, by name. All subgraphs are queried, so that all failures are reported together. */
async function introspectAll(subgraphs: Subgraphs): Promise<ReadonlyMap<string, readonly SdlFile[]>> {
  const remote = Object.entries(subgraphs).filter(([, { files }]) => files === undefined);
  if (remote.length === 0) return new Map();
  await using client = createTextClient();
  const limits = { timeoutMs: INTROSPECTION_TIMEOUT_MS, maxBytes: MAX_SDL_BYTES, signal: new AbortController().signal };
  const responses = await Promise.allSettled(
    remote.map(([, { url, headers = {} }]) => introspectSubgraph(client, { url, headers, ...limits })),
  );
  const failures = responses.flatMap((response, index) =>
    response.status === 'rejected'
      ? [`  ${remote[index]?.[0] ?? ''}: ${response.reason instanceof Error ? response.reason.message : String(response.reason)}`]
      : [],
  );
  if (failures.length > 0) throw new CommandFailed(['The SDL of these subgraphs could not be fetched:', ...failures].join('\n'));
  return new Map(
    remote.flatMap(([name, { url }], index) => {
      const response = responses[index];
      return response?.status === 'fulfilled' ? [[name, [{ path: url, text: response.value }]] as const] : [];
    }),
  );
}

function checkFile(path: string, text: string): z.output<typeof compositionFile> {
  const parsed = compositionFile.safeParse(parseDocument(path, text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw new CommandFailed([`${path} is not a valid composition file:`, ...problems].join('\n'));
}

function parseDocument(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new CommandFailed(`${path} is not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function readSource(path: string): Promise<SdlFile> {
  const shown = relative(process.cwd(), path);
  return { path: shown, text: await readText(shown) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`${path} cannot be read. Check the path and its permissions.`, { cause });
  }
}
