import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { SdlFile, SubgraphSource } from '../gateway/supergraph/compose-subgraphs.ts';
import { createTextClient } from '../gateway/platform/http/client/fetch-text.ts';
import { introspectSubgraph } from '../gateway/supergraph/sources/introspect-subgraph.ts';
import { CommandFailed } from './command-failed.ts';

const compositionFile = z.strictObject({
  output: z.string().min(1).meta({ description: 'Where the supergraph goes, relative to this file.' }),
  subgraphs: z.record(
    z.string().min(1),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({ description: 'Where a gateway finds the subgraph when nothing else is said.' }),
      files: z.array(z.string().min(1)).min(1).optional().meta({
        description: 'SDL files, relative to this file; read as one document. Without them the subgraph is asked for its SDL at `url`.',
      }),
      headers: z
        .record(z.string(), z.string().min(1))
        .optional()
        .meta({ description: 'Headers sent when the subgraph is asked for its SDL.' }),
    }),
  ),
});

type Subgraphs = z.output<typeof compositionFile>['subgraphs'];

/** For one subgraph that is asked for its SDL. @unit milliseconds */
const INTROSPECTION_TIMEOUT_MS = 10_000;
const MAX_SDL_BYTES = 20_971_520;

/** What there is to compose, and where the result goes. */
export interface CompositionInput {
  /** Absolute path. */
  readonly output: string;
  /** With every file read; their paths are relative to the working directory, so that a terminal can open them. */
  readonly subgraphs: readonly SubgraphSource[];
}

/**
 * Reads a composition file and every SDL file that it names, and asks the subgraphs that it names no files for.
 *
 * @throws CommandFailed when it, or a file it names, is missing or malformed, or when a subgraph gives no SDL
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

/** The SDL of the subgraphs without files, by name. All are asked, so that all that fail are told at once. */
async function introspectAll(subgraphs: Subgraphs): Promise<ReadonlyMap<string, readonly SdlFile[]>> {
  const remote = Object.entries(subgraphs).filter(([, { files }]) => files === undefined);
  if (remote.length === 0) return new Map();
  await using client = createTextClient();
  const limits = { timeoutMs: INTROSPECTION_TIMEOUT_MS, maxBytes: MAX_SDL_BYTES, signal: new AbortController().signal };
  const answers = await Promise.allSettled(
    remote.map(([, { url, headers = {} }]) => introspectSubgraph(client, { url, headers, ...limits })),
  );
  const failures = answers.flatMap((answer, index) =>
    answer.status === 'rejected'
      ? [`  ${remote[index]?.[0] ?? ''}: ${answer.reason instanceof Error ? answer.reason.message : String(answer.reason)}`]
      : [],
  );
  if (failures.length > 0) throw new CommandFailed(['These subgraphs did not give their SDL.', ...failures].join('\n'));
  return new Map(
    remote.flatMap(([name, { url }], index) => {
      const answer = answers[index];
      return answer?.status === 'fulfilled' ? [[name, [{ path: url, text: answer.value }]] as const] : [];
    }),
  );
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

async function readSource(path: string): Promise<SdlFile> {
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
