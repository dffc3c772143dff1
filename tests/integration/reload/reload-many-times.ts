import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import type { Memory } from './gateway-process.ts';
import { type SmallGraph, startSmallGraph } from './small-graph.ts';
import { startGatewayProcess } from './start-gateway-process.ts';
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts';
import { eventually } from '../../support/time/eventually.ts';

export interface ReloadOptions {
  /** Source of the supergraph: one file, or composition of subgraphs that each have a file. */
  readonly source: 'file' | 'subgraphs';
  readonly good: number;
  readonly bad: number;
  /** Good reloads before memory is measured. Until then, compiled code increases it in any case. @unit reloads */
  readonly warmUp: number;
  readonly perSecond: number;
}

export interface ReloadProof {
  readonly responded: number;
  readonly failures: readonly string[];
  readonly before: Memory;
  readonly after: Memory;
  /** Longest block of the event loop of the gateway. @unit milliseconds */
  readonly longestBlockMs: number;
  /** Duration of the slowest request. @unit milliseconds */
  readonly slowestMs: number;
  readonly report: GatewayReport;
}

interface GatewayReport {
  readonly current: string;
  readonly alive: number;
  readonly loads: number;
  readonly rejections: number;
  readonly failedLooks: number;
}

/** A broken file that is written instead of a good supergraph, and whether the gateway reports it. */
interface Mistake {
  readonly name: string;
  readonly isSilent?: boolean;
  write(files: Files, version: number): Promise<void>;
}

interface Files {
  readonly config: GatewayConfigInput['supergraph'];
  readonly mistakes: readonly Mistake[];
  writeGood(version: number): Promise<void>;
  /** Writes the file, alternately in place and by renaming another file. */
  put(text: string): Promise<void>;
}

/** Reloads a gateway under load many times, with good and broken supergraphs, and reports the results. */
export async function reloadManyTimes({ source, good, bad, warmUp, perSecond }: ReloadOptions): Promise<ReloadProof> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-reload-'));
  await using graph = await startSmallGraph();
  const files = source === 'file' ? filesOfSupergraph(directory, graph) : filesOfSubgraphs(directory, graph);
  await files.writeGood(0);
  await using gateway = await startGatewayProcess({
    profile: 'dev',
    server: { port: 0, internalPort: 0 },
    logging: { level: 'silent' },
    supergraph: files.config,
    // The subgraphs run in the process of the test, which may block. That is not a failure of a reload.
    subgraphs: { connectTimeoutMs: 30_000, requestTimeoutMs: 30_000 },
    graphql: { operationTimeoutMs: 60_000 },
  });
  const versions = { atLeast: 0, atMost: 0 };
  const startLoad = (): SteadyLoad => startSteadyLoad({ url: gateway.url, perSecond, versions: () => versions });
  let load = startLoad();

  const report = async (): Promise<GatewayReport> =>
    (await fetch(`${gateway.internalUrl}/health/supergraph`)).json() as Promise<GatewayReport>;

  async function reloadWell(): Promise<void> {
    const { loads } = await report();
    versions.atMost += 1;
    await files.writeGood(versions.atMost);
    await eventually(async () => (await report()).loads > loads, { what: 'a good supergraph is served' });
    versions.atLeast = versions.atMost;
  }

  async function reloadBadly(mistake: Mistake): Promise<void> {
    const { current, loads, rejections, failedLooks } = await report();
    await mistake.write(files, versions.atMost);
    if (mistake.isSilent === true) await new Promise((resolve) => setTimeout(resolve, 400));
    else
      await eventually(async () => (await complaints(report)) > rejections + failedLooks, {
        what: `an error is reported for ${mistake.name}`,
      });
    const after = await report();
    if (after.current !== current || after.loads !== loads) throw new Error(`Another supergraph is served after ${mistake.name}.`);
  }

  /** Measures memory while no request is in flight, both before and after the reloads. */
  async function memoryAtRest(): Promise<Memory> {
    await load.stop();
    await eventually(async () => (await report()).alive === 1, { what: 'only one generation is alive' });
    return gateway.memory();
  }

  try {
    for (let turn = 0; turn < warmUp; turn += 1) await reloadWell();
    const before = await memoryAtRest();
    const failedBefore = load.failures;
    await gateway.blocks();
    load = startLoad();
    for (const isGood of interleave(good, bad)) {
      if (isGood) await reloadWell();
      else await reloadBadly(nextOf(files.mistakes));
    }
    const { longestMs } = await gateway.blocks();
    const after = await memoryAtRest();
    return {
      responded: load.responded(),
      failures: [...failedBefore, ...load.failures],
      before,
      after,
      longestBlockMs: longestMs,
      slowestMs: load.slowestMs(),
      report: await report(),
    };
  } finally {
    await load.stop();
    await rm(directory, { recursive: true });
  }
}

async function complaints(report: () => Promise<GatewayReport>): Promise<number> {
  const { rejections, failedLooks } = await report();
  return rejections + failedLooks;
}

/** Distributes the bad reloads between the good ones, and ends with a good one: a broken supergraph must not block the next one. */
function interleave(good: number, bad: number): readonly boolean[] {
  const turns = Array.from({ length: good }, (_, index) => {
    const badOnes = Math.floor(((index + 1) * bad) / good) - Math.floor((index * bad) / good);
    return [...Array.from({ length: badOnes }, () => false), true];
  });
  return turns.flat();
}

const turns = new WeakMap<readonly Mistake[], number>();

function nextOf(mistakes: readonly Mistake[]): Mistake {
  const turn = turns.get(mistakes) ?? 0;
  turns.set(mistakes, turn + 1);
  const mistake = mistakes[turn % mistakes.length];
  if (mistake === undefined) throw new Error('The list of mistakes is empty.');
  return mistake;
}

function writerTo(path: string): (text: string) => Promise<void> {
  let turn = 0;
  return async (text) => {
    turn += 1;
    if (turn % 2 === 0) return writeFile(path, text);
    await writeFile(`${path}.draft`, text);
    return rename(`${path}.draft`, path);
  };
}

function filesOfSupergraph(directory: string, graph: SmallGraph): Files {
  const path = join(directory, 'supergraph.graphql');
  const put = writerTo(path);
  const broken = (name: string, breakIt: (sdl: string) => string): Mistake => ({
    name,
    // Clients must never see this version, which was never served.
    write: (files, version) => files.put(breakIt(graph.supergraphOf(version + 1_000))),
  });
  return {
    config: { file: path },
    put,
    writeGood: (version) => put(graph.supergraphOf(version)),
    mistakes: [
      broken('a syntax error', (sdl) => sdl.slice(0, -10)),
      broken('an unknown type', (sdl) => sdl.replace('title: String!', 'title: Missing!')),
      broken('an empty file', () => ''),
      broken('a schema that is no supergraph', () => 'type Query { a: Int }'),
      { name: 'the same content', isSilent: true, write: (files, version) => files.put(graph.supergraphOf(version)) },
      broken('a builder that refuses', (sdl) => sdl.replaceAll('Version', 'Unwanted')),
      { name: 'a file that is gone', write: () => rm(path) },
    ],
  };
}

function filesOfSubgraphs(directory: string, graph: SmallGraph): Files {
  const paths = { books: join(directory, 'books.graphql'), people: join(directory, 'people.graphql') };
  const put = writerTo(paths.books);
  const putPeople = writerTo(paths.people);
  const broken = (name: string, breakIt: (sdl: string) => string): Mistake => ({
    name,
    write: (files, version) => files.put(breakIt(graph.sdlOf('books', version + 1_000))),
  });
  return {
    config: {
      subgraphs: {
        books: { url: graph.urls.books, files: [paths.books] },
        people: { url: graph.urls.people, files: [paths.people] },
      },
    },
    put,
    async writeGood(version) {
      if (version === 0) await putPeople(graph.sdlOf('people', 0));
      await put(graph.sdlOf('books', version));
    },
    mistakes: [
      broken('a type that no subgraph resolves', (sdl) =>
        sdl.replace('@key(fields: "id", resolvable: false) { id: ID! }', '{ id: ID!  age: Int! }'),
      ),
      broken('a syntax error', (sdl) => sdl.slice(0, -10)),
      broken('a builder that refuses', (sdl) => sdl.replaceAll('Version', 'Unwanted')),
    ],
  };
}
