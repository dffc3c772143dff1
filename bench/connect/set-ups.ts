import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { type RunningTarget, startTarget } from '../process/running-target.ts';
import { gatefold } from '../targets/gatefold.ts';
import { benchRoot, checkout } from '../targets/paths.ts';
import { type Launch, type Target, type TargetContext, TargetMissing } from '../targets/target.ts';
import type { BackEnds } from './load-process.ts';

/** A gateway, and what it needs to resolve the shipments of orders. */
export interface SetUp extends AsyncDisposable {
  readonly port: number;
  /** Processes whose CPU time is measured. Their child processes are included. */
  readonly pids: readonly number[];
}

export interface SetUpOptions {
  readonly directory: string;
  readonly backEnds: BackEnds;
  readonly gatefold: string;
  /** JSON text of the request of clients. */
  readonly body: string;
  /** Expected response to this request. */
  readonly response: unknown;
}

/** Reads a file of `bench/connect`. */
export const readBenchFile = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/** Starts Gatefold with connectors for the REST service. */
export async function startConnectors(options: SetUpOptions): Promise<SetUp> {
  const { directory, backEnds } = options;
  const supergraphFile = join(directory, 'connectors.graphql');
  await writeFile(supergraphFile, supergraphOf(backEnds, { url: 'http://127.0.0.1:9', sdl: readBenchFile('shipping.graphql') }));
  const env = { GATEFOLD_CONNECTORS__SUBGRAPHS__SHIPPING__SOURCES__LEGACY__BASE_URL: backEnds.legacy };
  const running = await startSetUp(gatefoldWith(env), supergraphFile, options);
  return { port: portOf(running), pids: [running.pid], [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** Starts Gatefold with the hand-written subgraph in front of the REST service. */
export async function startHandWritten(options: SetUpOptions): Promise<SetUp> {
  const { directory, backEnds } = options;
  const subgraph = await startTarget(handWrittenSubgraph(backEnds.legacy), contextOf(options, ''), async (url) => {
    const data = await post(url, JSON.stringify({ query: '{ __typename }' }));
    return isDeepStrictEqual(data, { data: { __typename: 'Query' } });
  });
  try {
    const supergraphFile = join(directory, 'hand-written.graphql');
    const sdl = readBenchFile('hand-written-subgraph/shipping.graphql');
    await writeFile(supergraphFile, supergraphOf(backEnds, { url: `${subgraph.origin}/graphql`, sdl }));
    const running = await startSetUp(gatefoldWith({}), supergraphFile, options);
    return {
      port: portOf(running),
      pids: [running.pid, subgraph.pid],
      async [Symbol.asyncDispose]() {
        await running[Symbol.asyncDispose]();
        await subgraph[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await subgraph[Symbol.asyncDispose]();
    throw error;
  }
}

/** Starts Gatefold with a subgraph that returns recorded shipments. */
export async function startRecordedShipping(options: SetUpOptions): Promise<SetUp> {
  const { directory, backEnds } = options;
  const supergraphFile = join(directory, 'recorded.graphql');
  const sdl = readBenchFile('hand-written-subgraph/shipping.graphql');
  await writeFile(supergraphFile, supergraphOf(backEnds, { url: `${backEnds.shipping}/graphql`, sdl }));
  const running = await startSetUp(gatefoldWith({}), supergraphFile, options);
  return { port: portOf(running), pids: [running.pid], [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

function handWrittenSubgraph(backEndUrl: string): Target {
  const file = join(benchRoot, 'connect/hand-written-subgraph/subgraph-process.ts');
  return {
    name: 'hand-written' as Target['name'],
    about: 'Apollo Server with RESTDataSource and DataLoader',
    launch: ({ port }) => ({
      command: [process.execPath, '--import', 'tsx', file, JSON.stringify({ port, backEndUrl })],
      cwd: checkout,
    }),
  };
}

/** Delays of the event loop on a busy machine must not activate the protection against overload, which rejects requests. */
const NO_OVERLOAD = { GATEFOLD_SERVER__OVERLOAD__ACTIVATION_DELAY_MS: '10000' };

function gatefoldWith(env: Readonly<Record<string, string>>): Target {
  return {
    ...gatefold,
    async launch(context): Promise<Launch> {
      const launch = await gatefold.launch(context);
      return { ...launch, env: { ...launch.env, ...NO_OVERLOAD, ...env } };
    },
  };
}

/** Starts a gateway and waits for the expected response. @throws TargetMissing without one */
export async function startSetUp(target: Target, supergraphFile: string, options: SetUpOptions): Promise<RunningTarget> {
  let last: unknown;
  try {
    return await startTarget(target, contextOf(options, supergraphFile), async (url) => {
      last = await post(url, options.body);
      return isDeepStrictEqual(last, options.response);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TargetMissing(`${reason} The last response: ${JSON.stringify(last)?.slice(0, 500)}`, { cause: error });
  }
}

function contextOf({ directory, gatefold: build }: SetUpOptions, supergraphFile: string): Omit<TargetContext, 'port'> {
  return { directory, supergraphFile, subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: build };
}

export function portOf({ origin }: RunningTarget): number {
  return Number(new URL(origin).port);
}

function supergraphOf({ orders }: BackEnds, shipping: { readonly url: string; readonly sdl: string }): string {
  const composition = composeSubgraphs([
    { name: 'orders', url: `${orders}/graphql`, files: [{ path: 'orders.graphql', text: readBenchFile('orders.graphql') }] },
    { name: 'shipping', url: shipping.url, files: [{ path: 'shipping.graphql', text: shipping.sdl }] },
  ]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return composition.supergraphSdl;
}

/** Sends a request. @returns parsed response; undefined without one */
async function post(url: string, body: string): Promise<unknown> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await request(url, { method: 'POST', headers, body, reset: true });
    return await response.body.json();
  } catch {
    return undefined;
  }
}
