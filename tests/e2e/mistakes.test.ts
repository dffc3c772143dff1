import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { listenOn } from '../support/http/free-port.ts';
import { requireBuild, startCli } from '../support/process/built-cli.ts';
import { COMMAND_MISTAKES, type CommandMistake, GRAPH, USED_PORT } from './mistakes/command-mistakes.ts';
import { expectForOperators } from './mistakes/expect-for-operators.ts';

const SLOW = 120_000;

let used: Awaited<ReturnType<typeof listenOn>>;
let supergraph: string;
beforeAll(async () => {
  await requireBuild();
  used = await listenOn(0);
  const files = [{ path: 'films.graphql', text: GRAPH['films.graphql'] ?? '' }];
  supergraph = composeSubgraphs([{ name: 'films', url: 'http://127.0.0.1:1/graphql', files }]).supergraphSdl ?? '';
}, SLOW);
afterAll(async () => used.close());

/** Writes the files to an empty directory. */
async function directoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-mistakes-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

async function run({ args, env = {}, files = {}, preload }: CommandMistake) {
  const script = preload === undefined ? {} : { 'preload.cjs': preload };
  const cwd = await directoryWith({ 'supergraph.graphql': supergraph, ...GRAPH, ...files, ...script });
  const options = preload === undefined ? {} : { NODE_OPTIONS: `--require ${join(cwd, 'preload.cjs')}` };
  try {
    const portOf = (arg: string): string => (arg === USED_PORT ? String(used.port) : arg);
    await using command = startCli(args.map(portOf), { cwd, env: { ...env, ...options } });
    const { code } = await command.exit;
    return { code, output: command.output() };
  } finally {
    await rm(cwd, { recursive: true });
  }
}

describe('given a mistake, a command', () => {
  it.each(COMMAND_MISTAKES.map((row) => [`${row.number}: ${row.mistake}`, row] as const))(
    'ends with a message: %s',
    async (_title, row) => {
      const { code, output } = await run(row);
      for (const pattern of row.says) expect(output).toMatch(pattern);
      expect(code).toBe(row.exitCode);
      expectForOperators(output, row);
      if (row.lines !== undefined) expect(output.trim().split('\n')).toHaveLength(row.lines);
    },
    SLOW,
  );
});
