import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../cli/command-line.ts';
import { createApolloGateway } from '../../../gateway/apollo-server/index.ts';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { supergraph as supergraphSection } from '../../../gateway/config/sections/supergraph.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { createSource } from '../../../gateway/supergraph/sources/create-source.ts';
import { createSubgraphsSource } from '../../../gateway/supergraph/sources/subgraphs-source.ts';
import type { SupergraphSource } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { createUplinkSource } from '../../../gateway/supergraph/sources/uplink-source.ts';
import { createUrlSource } from '../../../gateway/supergraph/sources/url-source.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/gateway/record-source.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';
import { eventually } from '../../support/time/eventually.ts';
import {
  coordinateOf,
  type LostDirective,
  lostInSubgraph,
  lostInSupergraph,
  soundSubgraph,
  soundSupergraph,
  USED_DIRECTIVES,
  type UsedDirective,
} from './lost-directives.ts';

/** Value of the field with the directive. */
const SECRET = 4_242_424;
/** Pauses of sources in tests. @unit milliseconds */
const SHORT_MS = 5;

let directory: string;
let server: ScriptedServer;
let sdlOnServer = '';
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-ways-'));
  server = await startScriptedServer();
  let id = 0;
  server.respond((response, _request, body) => {
    id += 1;
    if (body.includes('_service')) return response.end(JSON.stringify({ data: { _service: { sdl: sdlOnServer } } }));
    const routerConfig = { __typename: 'RouterConfigResult', id: String(id), supergraphSDL: sdlOnServer, minDelaySeconds: 0 };
    return response.end(body.includes('routerConfig') ? JSON.stringify({ data: { routerConfig } }) : sdlOnServer);
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const POLL = {
  pollIntervalMs: SHORT_MS,
  requestTimeoutMs: 10_000,
  maxBytes: 1_000_000,
  sleep: (_ms: number, signal: AbortSignal) => delay(SHORT_MS, undefined, { signal }),
};

/** A source of supergraphs whose content can be replaced. */
interface Way {
  readonly title: string;
  /** Whether the content is the SDL of a subgraph, or a supergraph. */
  readonly takes: 'subgraph' | 'supergraph';
  open(sdl: string): Promise<{ readonly source: () => SupergraphSource; replace(sdl: string): Promise<void> }>;
}

const onServer =
  (create: () => SupergraphSource): Way['open'] =>
  async (sdl) => {
    sdlOnServer = sdl;
    return {
      source: create,
      async replace(next) {
        sdlOnServer = next;
      },
    };
  };

const inFile =
  (create: (path: string) => SupergraphSource): Way['open'] =>
  async (sdl) => {
    files += 1;
    const path = join(directory, `${files}.graphql`);
    await writeFile(path, sdl);
    return {
      source: () => create(path),
      // Replaced atomically, so that no source reads a part of it.
      async replace(next) {
        await writeFile(`${path}.next`, next);
        await rename(`${path}.next`, path);
      },
    };
  };

const listed = (file: string | undefined): SupergraphSource =>
  createSubgraphsSource({
    ...POLL,
    subgraphs: [{ name: 's0', url: server.url, headers: {}, ...(file === undefined ? {} : { files: [file] }) }],
    compositionTimeoutMs: 60_000,
    compose: async (subgraphs) => composeSubgraphs(subgraphs),
  });

const WAYS: readonly Way[] = [
  { title: 'subgraphs from files', takes: 'subgraph', open: inFile((path) => listed(path)) },
  { title: 'subgraphs that are polled', takes: 'subgraph', open: onServer(() => listed(undefined)) },
  {
    title: 'a supergraph file',
    takes: 'supergraph',
    open: inFile((file) => createSource({ ...supergraphSection.parse({ file }), pollIntervalMs: 1_000 }, { override: {} })),
  },
  { title: 'a supergraph URL', takes: 'supergraph', open: onServer(() => createUrlSource({ ...POLL, url: server.url, headers: {} })) },
  {
    title: 'Uplink',
    takes: 'supergraph',
    open: onServer(() => createUplinkSource({ ...POLL, key: 'key', graphRef: 'graph@main', endpoints: [server.url] })),
  },
];

const lostIn = (way: Way, directive: UsedDirective): readonly LostDirective[] =>
  way.takes === 'subgraph' ? lostInSubgraph(directive) : lostInSupergraph(directive);
const soundIn = (way: Way, directive: UsedDirective): string =>
  way.takes === 'subgraph' ? soundSubgraph(directive) : soundSupergraph(directive);

/** Creates a gateway that records its problems. Its subgraph returns the secret to every request. */
async function gatewayWith(supergraph: { readonly sdl: string } | (() => SupergraphSource), problems: string[]): Promise<Gateway> {
  const note = (facts: { readonly reason?: string; readonly err?: Error }): void =>
    void problems.push(facts.reason ?? facts.err?.message ?? '');
  const executor = async () => ({ data: { open: 1, secret: [SECRET] } });
  return createGateway(
    {
      profile: 'dev',
      auth: { developmentKey: DEVELOPMENT_KEY },
      server: { port: 0, internalPort: 0 },
      supergraph: 'sdl' in supergraph ? supergraph : { sdl: 'replaced by the source' },
    },
    {
      logger: { ...silentLogger, error: note, warn: note },
      subgraphExecutor: () => Object.assign(executor, { async [Symbol.asyncDispose]() {} }),
      ...('sdl' in supergraph ? {} : { supergraphSource: supergraph }),
    },
  );
}

async function query(gateway: Gateway, text: string): Promise<string> {
  const signal = new AbortController().signal;
  const request = { principal: ANONYMOUS, document: { text }, transport: 'graphql', headers: {}, correlationId: 'ways', signal } as const;
  return (await gateway.execute(request)).body;
}

/** Expects that the anonymous caller reads the open field, and the field with the directive only if the directive is no rule. */
async function expectGuarded(gateway: Gateway, directive: UsedDirective): Promise<void> {
  expect(await query(gateway, '{ open }')).toContain('"open":1');
  if (coordinateOf(directive) !== 'Query.secret') return;
  const body = await query(gateway, '{ secret }');
  expect(body.includes(String(SECRET))).toBe(!directive.isGuard);
}

/** Starts a gateway on a lost directive, and returns what it reports. */
async function startOn(supergraph: Parameters<typeof gatewayWith>[0]): Promise<string> {
  const problems: string[] = [];
  await using gateway = await gatewayWith(supergraph, problems);
  const rejection = await gateway.load().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const served = await query(gateway, '{ secret open }').catch((error: unknown) => String(error));
  expect(served).not.toContain(String(SECRET));
  return rejection ?? problems.join('\n');
}

function expectSaid(said: string, { says, defect }: LostDirective): void {
  for (const text of says) expect({ defect, said }).toEqual({ defect, said: expect.stringContaining(text) });
}

describe.each(USED_DIRECTIVES)('given @$name that is lost', (directive) => {
  it.each(['files', 'running subgraphs'])('gatefold compose of %s names field, line and remedy', async (kind) => {
    for (const lost of lostInSubgraph(directive)) {
      sdlOnServer = lost.sdl;
      await writeFile(join(directory, 's0.graphql'), lost.sdl);
      const subgraph = kind === 'files' ? '{ url: "http://s0.invalid", files: [s0.graphql] }' : `{ url: "${server.url}" }`;
      const file = join(directory, 'composition.yaml');
      await writeFile(file, `output: out.graphql\nsubgraphs: { s0: ${subgraph} }`);
      const terminal = recordingTerminal();
      expect(await runCommandLine(['compose', '--file', file], terminal)).toBe(1);
      expectSaid(terminal.warned.join('\n'), lost);
    }
  });

  it.each(WAYS)('a gateway does not start on it from $title', async (way) => {
    for (const lost of lostIn(way, directive)) {
      const opened = await way.open(lost.sdl);
      expectSaid(await startOn(opened.source), lost);
    }
  });

  it('a gateway does not start on it from an inline supergraph', async () => {
    for (const lost of lostInSupergraph(directive)) expectSaid(await startOn({ sdl: lost.sdl }), lost);
  });

  it.each(WAYS)('a gateway does not reload it from $title', async (way) => {
    const problems: string[] = [];
    const { source, replace } = await way.open(soundIn(way, directive));
    await using gateway = await gatewayWith(source, problems);
    await gateway.load();
    await expectGuarded(gateway, directive);
    for (const lost of lostIn(way, directive)) {
      problems.length = 0;
      await replace(lost.sdl);
      await eventually(() => problems.length > 0, { what: `${lost.defect} is reported` });
      expectSaid(problems.join('\n'), lost);
      await expectGuarded(gateway, directive);
    }
  });

  it('a gateway for Apollo Server does not load it, and does not reload it', async () => {
    for (const lost of lostInSupergraph(directive)) {
      const first = createApolloGateway({ supergraphSdl: lost.sdl, principal: () => ANONYMOUS, logger: silentLogger });
      const said = await first.load({ apollo: {} }).then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
      expectSaid(said, lost);
      let update: (sdl: string) => void = () => undefined;
      const managed = createApolloGateway({
        principal: () => ANONYMOUS,
        logger: silentLogger,
        supergraphSdl: {
          async initialize(options) {
            ({ update } = options);
            return { supergraphSdl: soundSupergraph(directive) };
          },
        },
      });
      await managed.load({ apollo: {} });
      expect(() => update(lost.sdl)).toThrow(`@${directive.name}`);
      await managed.stop?.();
    }
  });
});
