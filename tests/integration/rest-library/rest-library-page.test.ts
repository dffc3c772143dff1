import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import * as graphql from 'graphql';
import { runCommandLine } from '../../../cli/command-line.ts';
import * as gatefold from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import * as rest from '../../../rest-facade/index.ts';
import { cinemaSchema, cinemaSdl } from '../../fixtures/cinema/cinema-graph.ts';
import { librarySupergraph, startLibrarySubgraph } from '../../fixtures/library-graph.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';
import { codeBlocks } from '../../support/pages/code-blocks.ts';

const page = readFileSync(join(packageRoot, 'docs/guides/rest-for-any-graph.md'), 'utf8');
const blocksOf = (language: string) => codeBlocks(page, language);

const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  gatefold,
  'gatefold/rest': rest,
  'node:http': http,
  graphql,
};

describe('the page about REST in front of any graph', () => {
  let directory: string;
  let endings: (() => PromiseLike<void>)[];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-page-'));
    endings = [() => rm(directory, { recursive: true })];
  });
  afterEach(async () => {
    for (const end of endings.reverse()) await end();
  });

  /** Replaces the files and ports of the page by those of this run. */
  const here = (text: string): string =>
    text
      .replaceAll(/\bschema\.graphql|schema\/supergraph\.graphql/g, join(directory, 'schema.graphql'))
      .replaceAll('--out drafts', `--out ${join(directory, 'rest')}`)
      .replaceAll('schema/rest', join(directory, 'rest'))
      .replaceAll('listen(4000)', "listen(0, '127.0.0.1')");

  /** Writes the documents with the command of the page. */
  async function draft(schema: string): Promise<void> {
    await writeFile(join(directory, 'schema.graphql'), schema);
    const [command = ''] = blocksOf('sh');
    const [runner, name, ...args] = here(command).trim().split(' ');
    expect([runner, name, await runCommandLine(args, recordingTerminal())]).toEqual(['npx', 'gatefold', 0]);
  }

  /** Runs a program of the page with the exports of the package and the values that the page expects the reader to provide. */
  async function run(program: string, yours: Readonly<Record<string, unknown>>): Promise<void> {
    const names: Record<string, unknown> = { ...yours };
    const untyped = here(program).replace(/^(?:import type|declare const) .*$/gm, '');
    const body = untyped.replace(/^import \{ (.*) \} from '(.*)';$/gm, (_line, list: string, from: string) => {
      for (const name of list.split(', ')) {
        expect(MODULES[from]).toHaveProperty([name]);
        names[name] ??= MODULES[from]?.[name];
      }
      return '';
    });
    const started = compileFunction(`return (async () => {${body}})();`, Object.keys(names)) as (...values: unknown[]) => Promise<void>;
    await started(...Object.values(names));
  }

  /** Creates a server that is closed after the test. */
  function createServer(listener: http.RequestListener): http.Server {
    const server = http.createServer(listener);
    endings.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return server;
  }

  async function urlOf(server: http.Server): Promise<string> {
    if (!server.listening) await new Promise<void>((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const read = async (url: string): Promise<unknown> => (await fetch(url)).json();

  it('the gateway program serves the graph by REST', async () => {
    const subgraph = await startLibrarySubgraph();
    endings.push(() => subgraph[Symbol.asyncDispose]());
    await draft(librarySupergraph(subgraph.url));
    let gateway: gatefold.Gateway | undefined;
    await run(blocksOf('ts')[0] ?? '', {
      createGateway: async (config: gatefold.GatewayConfigInput) => {
        const created = await gatefold.createGateway(
          { ...config, profile: 'dev', server: { port: 0, internalPort: 0 } },
          { logger: silentLogger },
        );
        endings.push(() => created[Symbol.asyncDispose]());
        gateway = created;
        return created;
      },
    });
    expect(await read(`${(await gateway?.listen())?.url}/books/1`)).toEqual({ id: '1', title: 'Momo' });
  });

  it('the graphql-js program serves the graph by REST', async () => {
    await draft(cinemaSdl);
    const servers: http.Server[] = [];
    await run(blocksOf('ts')[1] ?? '', {
      schema: cinemaSchema(),
      createServer(listener: http.RequestListener) {
        const server = createServer(listener);
        servers.push(server);
        return server;
      },
    });
    expect(servers).toHaveLength(1);
    for (const server of servers) expect(await read(`${await urlOf(server)}/people/p1`)).toMatchObject({ id: 'p1', name: 'Ida' });
  });

  it('the program for Apollo Server and Express serves REST below a path', async () => {
    const subgraph = await startLibrarySubgraph();
    endings.push(() => subgraph[Symbol.asyncDispose]());
    const supergraphSdl = librarySupergraph(subgraph.url);
    await draft(supergraphSdl);
    const gateway = new ApolloGateway({ supergraphSdl });
    const server = new ApolloServer({ gateway });
    await server.start();
    endings.push(() => server.stop());
    const application = express().disable('x-powered-by');
    await run(blocksOf('ts')[2] ?? '', { gateway, server, application });
    const url = await urlOf(createServer(application).listen(0, '127.0.0.1'));
    expect(await read(`${url}/shop/books/1`)).toEqual({ id: '1', title: 'Momo' });
    expect((await fetch(`${url}/books/1`)).status).toBe(404);
  });

  it('has no code blocks besides those that these tests run', () => {
    expect([blocksOf('sh').length, blocksOf('ts').length]).toEqual([1, 3]);
  });

  it('lists every option of an executor in its table', () => {
    const source = readFileSync(join(packageRoot, 'rest-facade/executors/from-executor.ts'), 'utf8');
    const [, body = ''] = /interface ExecutorOptions \{([\s\S]*?)\n\}/.exec(source) ?? [];
    const options = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'logger');
    expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(options);
  });
});
