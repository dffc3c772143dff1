import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composedOf } from '../fixtures/apollo-engine.ts';
import { type CliProcess, childrenOf, isRunning, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { freePort, listenOn } from '../support/http/free-port.ts';

const SLOW = 240_000;
const SUPPORTED = { GATEFOLD_BUDGET__MODE: 'off', GATEFOLD_LIMITS__MODES__COST: 'measure', GATEFOLD_LIMITS__MODES__PAGE_SIZE: 'measure' };

let directory: string;
beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-apollo-'));
  await writeFile(join(directory, 'supergraph.graphql'), composedOf({ books: { sdl: 'type Query { book: String }' } }));
}, SLOW);
afterAll(async () => rm(directory, { recursive: true, force: true }));

function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
  return startCli(['serve', '--supergraph', 'supergraph.graphql', ...args], { cwd: directory, env });
}

async function endOf(gatefold: CliProcess): Promise<{ readonly code: number | null; readonly output: string }> {
  const { code } = await gatefold.exit;
  return { code, output: gatefold.output() };
}

describe('gatefold serve --engine', () => {
  it.each([
    ['Apollo', ['--engine', 'Apollo']],
    ['nope', ['--engine', 'nope']],
    ['an empty name', ['--engine', '']],
    ['no name', ['--engine']],
    ['an unknown option', ['--engine', 'apollo', '--workers', '4']],
    ['an extra argument', ['--engine', 'apollo', 'gatefold']],
  ])(
    'exits with 2 and names the expected value for %s',
    async (_what, args) => {
      await using gatefold = serve(args, SUPPORTED);
      const { code, output } = await endOf(gatefold);
      expect(code).toBe(2);
      expect(output).toMatch(/engine|unknown option '--workers'|too many arguments/);
      expect(output).not.toMatch(/\bat .*\.js:\d+/);
    },
    SLOW,
  );

  it(
    'lists all unsupported settings with what to set',
    async () => {
      await using gatefold = serve(['--engine', 'apollo'], {
        REDIS_URL: 'redis://127.0.0.1:1',
        GATEFOLD_GRAPHQL__DEDUPE: 'true',
        GATEFOLD_LIMITS__MAX_COST: '100',
      });
      const { code, output } = await endOf(gatefold);
      expect(code).toBe(2);
      for (const said of [
        'Set budget.mode to off',
        'Set limits.modes.cost to measure',
        'Set limits.modes.pageSize to measure',
        'redis.url',
        'graphql.dedupe',
      ])
        expect(output).toContain(said);
      expect(output).not.toMatch(/\bat .*\.js:\d+|127\.0\.0\.1:1\b/);
    },
    SLOW,
  );

  it(
    'names the setting and exits with 1 when the port is in use',
    async () => {
      const taken = await listenOn(0);
      await using gatefold = serve(['--engine', 'apollo', '--port', String(taken.port)], SUPPORTED);
      const { code, output } = await endOf(gatefold);
      expect([code, output]).toEqual([1, expect.stringContaining('PORT')]);
      expect(output).not.toMatch(/\bat .*\.js:\d+/);
      await taken.close();
    },
    SLOW,
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'exits with 0 on %s during startup',
    async (signal) => {
      await using gatefold = serve(['--engine', 'apollo', '--port', '0', '--internal-port', '0'], SUPPORTED);
      // The warning is printed before the stock gateway starts.
      await gatefold.waitFor(/Their defaults have no effect/);
      gatefold.signal(signal);
      expect(await gatefold.exit).toEqual({ code: 0, signal: null });
    },
    SLOW,
  );
});

describe('gatefold dev --engine apollo', () => {
  it(
    'serves five subgraphs, warns about authorization, leaves no process on Ctrl-C',
    async () => {
      const port = await freePort(2);
      const env = { PORT: String(port), GATEFOLD_DATA_DIR: 'memory' };
      await using gatefold = startCli(['dev', '--engine', 'apollo'], { cwd: directory, env });
      await gatefold.waitFor(/Ctrl-C stops everything\./);
      const [, token] = /USER_TOKEN=(\S+)/.exec(gatefold.output()) ?? [];
      const query = '{ user(id: "1") { email posts { title } orders { nodes { product { title } shipment { carrier } } } } }';
      const request = async (headers: Readonly<Record<string, string>>): Promise<unknown> =>
        (await fetch(`http://127.0.0.1:${port}/graphql?query=${encodeURIComponent(query)}`, { headers })).json();
      expect(await request({ authorization: `Bearer ${token}` })).toEqual({
        data: { user: { email: expect.any(String), posts: expect.any(Array), orders: { nodes: expect.any(Array) } } },
      });
      expect(await request({})).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ path: ['user', 'email'] })]) });
      expect(gatefold.output().match(/does not enforce the rules of the supergraph/g)).toHaveLength(1);
      expect((await fetch(`http://127.0.0.1:${port}/books?size=1`)).status).toBe(200);
      const [child = 0] = await childrenOf(gatefold.pid);
      gatefold.signal('SIGINT');
      expect(await gatefold.exit).toEqual({ code: 0, signal: null });
      await eventually(async () => !(await isRunning(child)));
      await (await listenOn(port)).close();
    },
    SLOW,
  );

  it(
    'rejects a configured cost limit instead of overriding it, and stops the subgraphs',
    async () => {
      const env = { PORT: String(await freePort(2)), GATEFOLD_DATA_DIR: 'memory', GATEFOLD_LIMITS__MODES__COST: 'enforce' };
      await using gatefold = startCli(['dev', '--engine', 'apollo'], { cwd: directory, env });
      const { code, output } = await endOf(gatefold);
      expect([code, output]).toEqual([2, expect.stringContaining('Set limits.modes.cost to measure')]);
      expect(await childrenOf(gatefold.pid)).toEqual([]);
    },
    SLOW,
  );
});
