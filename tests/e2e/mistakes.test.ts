import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { freePort, listenOn } from '../support/http/free-port.ts';
import { type CliProcess, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { COMMAND_MISTAKES, type CommandMistake, GRAPH, USED_PORT } from './mistakes/command-mistakes.ts';
import { expectForOperators, expectNoStack } from './mistakes/expect-for-operators.ts';
import { DEAD, type MistakenGraph, startMistakenGraph } from './mistakes/mistaken-graph.ts';
import { REQUEST_MISTAKES, type RequestMistake } from './mistakes/request-mistakes.ts';

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

async function run({ args, env = {}, files = {}, folder = '.', preload }: CommandMistake) {
  const script = preload === undefined ? {} : { 'preload.cjs': preload };
  const directory = await directoryWith({ 'supergraph.graphql': supergraph, ...GRAPH, ...files, ...script });
  const cwd = join(directory, folder);
  await mkdir(cwd, { recursive: true });
  const options = preload === undefined ? {} : { NODE_OPTIONS: `--require ${join(directory, 'preload.cjs')}` };
  try {
    const portOf = (arg: string): string => (arg === USED_PORT ? String(used.port) : arg);
    await using command = startCli(args.map(portOf), { cwd, env: { ...env, ...options } });
    const { code } = await command.exit;
    return { code, output: command.output() };
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('given a mistake, a command', () => {
  it.each(COMMAND_MISTAKES.map((row) => [`${row.number}: ${row.mistake}`, row] as const))(
    'ends with a message: %s',
    async (_title, row) => {
      const { code, output } = await run(row);
      for (const pattern of row.says) expect(output).toMatch(pattern);
      expect(code).toBe(row.exitCode);
      expectForOperators(output);
      if (row.lines !== undefined) expect(output.trim().split('\n')).toHaveLength(row.lines);
    },
    SLOW,
  );
});

describe('given a mistake, a running gateway', () => {
  let graph: MistakenGraph;
  let directory: string;
  const gateways = new Map<string, { readonly cli: CliProcess; readonly url: string }>();

  beforeAll(async () => {
    graph = await startMistakenGraph();
    directory = await directoryWith({
      'supergraph.graphql': graph.supergraphSdl,
      'auth.json': JSON.stringify({ supergraph: { file: 'supergraph.graphql' }, auth: graph.auth }),
      'subgraphs.json': JSON.stringify({ supergraph: { subgraphs: { actors: { url: `${DEAD}/actors` } } } }),
    });
    const port = await freePort();
    const start = async (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> => {
      const json = { GATEFOLD_LOGGING__FORMAT: 'json' };
      const cli = startCli([...args, '--port', '0', '--internal-port', '0'], { cwd: directory, env: { ...json, ...env } });
      const [, url = ''] = await cli.waitFor(/(http:\/\/127\.0\.0\.1:\d+)\/graphql/);
      gateways.set(name, { cli, url });
    };
    const startWaiting = async (): Promise<void> => {
      const env = { REDIS_URL: 'redis://user:hunter2@127.0.0.1:1' };
      const args = ['dev', '--config', 'subgraphs.json', '--port', String(port), '--internal-port', '0'];
      const cli = startCli(args, { cwd: directory, env });
      await cli.waitFor(/Waiting for actors/);
      gateways.set('waiting', { cli, url: `http://127.0.0.1:${port}` });
    };
    await Promise.all([
      start('production', ['serve', '--supergraph', 'supergraph.graphql']),
      start('dev', ['dev', '--config', 'auth.json']),
      startWaiting(),
    ]);
  }, SLOW);
  afterAll(async () => {
    for (const { cli } of gateways.values()) await cli[Symbol.asyncDispose]();
    await graph[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  function gatewayOf(name: string) {
    const gateway = gateways.get(name);
    if (gateway === undefined) throw new Error(`The gateway ${name} has not started.`);
    return gateway;
  }

  async function send({ gateway, request: { path = '/graphql', claims, ...init } }: RequestMistake) {
    const token = claims === undefined ? undefined : await graph.sign(claims);
    const headers = { ...(init.headers as Record<string, string>), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(gatewayOf(gateway).url + path, { ...init, headers });
    return { response, token, text: await response.text() };
  }

  it.each(REQUEST_MISTAKES.map((row) => [`${row.number}: ${row.mistake}`, row] as const))('reports it: %s', async (_title, row) => {
    const { response, token, text } = await send(row);
    for (const pattern of row.says) expect(text).toMatch(pattern);
    expect(row.status).toContain(response.status);
    expectForOperators(text);
    const { cli } = gatewayOf(row.gateway);
    const { logs = [] } = row;
    const isLogged = (): boolean =>
      cli
        .output()
        .split('\n')
        .some((line) => logs.every((pattern) => pattern.test(line)));
    await eventually(isLogged, { withinMs: 10_000, what: `${row.mistake} in ${cli.output()}` });
    expectNoStack(cli.output());
    if (token !== undefined) {
      const [, payload = '', signature = ''] = token.split('.');
      expect(cli.output()).not.toContain(payload);
      expect(cli.output()).not.toContain(signature);
    }
  });

  it('reports it: 8: a subgraph that is down at the start', async () => {
    const { cli, url } = gatewayOf('waiting');
    const body = JSON.stringify({ query: '{ actors { id } }' });
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('NO_SUPERGRAPH');
    expect(cli.output()).toMatch(/Waiting for actors \(http:\/\/127\.0\.0\.1:1\/actors\): connection refused/);
    expect(cli.output()).not.toContain('Gatefold is ready');
    expectForOperators(cli.output());
  });

  it('reports it: 27: ordinary load of an anonymous caller is served', async () => {
    const { url } = gatewayOf('production');
    const body = JSON.stringify({ query: '{ films { title } }' });
    const statuses = new Set<number>();
    for (let sent = 0; sent < 400; sent += 1) {
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      statuses.add(response.status);
      await response.arrayBuffer();
    }
    expect([...statuses]).toEqual([200]);
    expect(gatewayOf('production').cli.output()).toContain('Anonymous callers have no rate limit');
  });

  it('reports it: 22: Redis that is down', async () => {
    const { cli } = gatewayOf('waiting');
    await cli.waitFor(/Redis/);
    expect(cli.output()).not.toContain('hunter2');
  });
});

it('All 33 mistakes are in the tables', () => {
  const inTests = [8, 22, 27];
  const numbers = new Set([...COMMAND_MISTAKES, ...REQUEST_MISTAKES].map(({ number }) => number).concat(inTests));
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 33 }, (_item, index) => index + 1));
});
