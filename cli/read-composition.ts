import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { checkSections } from '../gateway/config/check-sections.ts';
import { ConfigurationInvalid, type ConfigurationProblem, describeProblem } from '../gateway/config/configuration-invalid.ts';
import { mergeLayers, originIn } from '../gateway/config/layer.ts';
import { type ComposedSubgraphs, composedSubgraphs } from '../gateway/config/sections/supergraph.ts';
import { compileSettings } from '../gateway/config/settings.ts';
import type { SdlFile, SubgraphSource } from '../gateway/supergraph/compose-subgraphs.ts';
import { createTextClient } from '../gateway/platform/http/client/fetch-text.ts';
import { introspectSubgraph } from '../gateway/supergraph/sources/introspect-subgraph.ts';
import { CommandFailed } from './command-failed.ts';
import type { SdlHeaders } from './open-sdl-signer.ts';

const compositionFile = z.strictObject({
  output: z.string().min(1).optional().meta({
    description: 'Path of the supergraph, relative to this file. Default: supergraph.graphql in the directory of this file.',
    path: true,
    expected: 'a path',
  }),
  subgraphs: composedSubgraphs,
});

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

/** Content of a composition file. */
export interface CompositionFile {
  /** Absolute path of the supergraph. */
  readonly output: string;
  /** Subgraphs by name. Paths of files are absolute. */
  readonly subgraphs: ComposedSubgraphs;
}

/**
 * Reads a composition file and its SDL files, and fetches the SDL of subgraphs without files.
 *
 * @param headersFor returns headers of the request for the SDL of a subgraph, in addition to those of the file
 * @throws CommandFailed if a file is missing or malformed, or a subgraph does not return its SDL
 */
export async function readComposition(path: string, headersFor?: SdlHeaders): Promise<CompositionInput> {
  const { output, subgraphs } = await readCompositionFile(path);
  const introspected = await introspectAll(subgraphs, headersFor);
  return {
    output,
    subgraphs: await Promise.all(
      Object.entries(subgraphs).map(async ([name, { url = '', files = [] }]) => ({
        name,
        url,
        files: introspected.get(name) ?? (await Promise.all(files.map((file) => readSource(file, name)))),
      })),
    ),
  };
}

/** Reads a composition file without the files that it names. @throws CommandFailed with every mistake in it */
export async function readCompositionFile(path: string): Promise<CompositionFile> {
  const settings = compileSettings(compositionFile);
  const layers = [await readLayer(path, settings)];
  const checked = checkSections(compositionFile, settings, mergeLayers(layers), originIn(layers));
  const problems = [...layers.flatMap((layer) => layer.problems), ...('problems' in checked ? checked.problems : [])];
  if (problems.length > 0 || 'problems' in checked) throw invalid(path, problems);
  const { output = join(dirname(path), 'supergraph.graphql'), subgraphs } = checked.config;
  return { output, subgraphs };
}

/** Reads the values with their locations. The YAML parser is loaded on demand, because most commands do not need it. */
async function readLayer(path: string, settings: ReturnType<typeof compileSettings>) {
  await readText(path, `${path} cannot be read. Check the path and its permissions.`);
  const { readFileLayer } = await import('../gateway/config/read-file-layer.ts');
  try {
    return readFileLayer(path, settings);
  } catch (error) {
    throw error instanceof ConfigurationInvalid ? invalid(path, error.problems) : error;
  }
}

function invalid(path: string, problems: readonly ConfigurationProblem[]): CommandFailed {
  return new CommandFailed([`${path} is not a valid composition file:`, ...problems.map(describeProblem)].join('\n'));
}

/** Fetches the SDL of the subgraphs without files, by name. All subgraphs are queried, so that all failures are reported together. */
async function introspectAll(
  subgraphs: ComposedSubgraphs,
  headersFor: SdlHeaders = () => ({}),
): Promise<ReadonlyMap<string, readonly SdlFile[]>> {
  const remote = Object.entries(subgraphs).flatMap(([name, { url, files, headers }]) =>
    url === undefined || files !== undefined ? [] : [[name, { url, headers }] as const],
  );
  if (remote.length === 0) return new Map();
  await using client = createTextClient();
  const limits = { timeoutMs: INTROSPECTION_TIMEOUT_MS, maxBytes: MAX_SDL_BYTES, signal: new AbortController().signal };
  const responses = await Promise.allSettled(
    remote.map(([name, { url, headers }]) => introspectSubgraph(client, { url, headers: { ...headers, ...headersFor(name) }, ...limits })),
  );
  const failures = responses.flatMap((response, index) =>
    response.status === 'rejected'
      ? [`  ${remote[index]?.[0] ?? ''}: ${response.reason instanceof Error ? response.reason.message : String(response.reason)}`]
      : [],
  );
  if (failures.length > 0) {
    const advice =
      'Start the subgraphs and check their URLs, or list their SDL files in `files`. For subgraphs that verify the identity of the gateway, ' +
      'run `gatefold compose --sign`.';
    throw new CommandFailed(['The SDL of these subgraphs could not be fetched:', ...failures, advice].join('\n'));
  }
  return new Map(
    remote.flatMap(([name, { url }], index) => {
      const response = responses[index];
      return response?.status === 'fulfilled' ? [[name, [{ path: url, text: response.value }]] as const] : [];
    }),
  );
}

async function readSource(path: string, subgraph: string): Promise<SdlFile> {
  const shown = relative(process.cwd(), path);
  const advice = 'Check the path in the composition file, and its permissions.';
  return { path: shown, text: await readText(shown, `The SDL file ${shown} of the subgraph ${subgraph} cannot be read. ${advice}`) };
}

async function readText(path: string, message: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandFailed(message, { cause });
  }
}
