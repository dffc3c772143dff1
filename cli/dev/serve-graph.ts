import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../gateway/config/read-environment-layer.ts';
import type { Gateway } from '../../gateway/index.ts';
import { createTextClient } from '../../gateway/platform/http/client/fetch-text.ts';
import { createDisposalStack } from '../../gateway/platform/disposal-stack.ts';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { ProductConfig } from '../configuration.ts';
import { startEngine } from '../start-engine.ts';
import type { RunningGateway } from '../start-gateway.ts';
import { createDevSource, type DevSource, type LastSupergraph } from './create-dev-source.ts';
import type { DevReport } from './dev-report.ts';
import { type DevSubgraph, listDevSubgraphs, type MockOption, withoutOverriddenUrls } from './dev-subgraph.ts';
import { exampleQuery } from './example-query.ts';
import { followMockFiles } from './follow-mock-files.ts';
import { type FollowedRestDocuments, followRestDocuments } from './follow-rest-documents.ts';
import { serveMocks } from './mocks/serve-mocks.ts';
import { createRememberedSdl } from './remembered-sdl.ts';
import { watchDevSubgraph } from './watch-dev-subgraph.ts';

/** A graph that is served for development. */
export interface ServedGraph extends Omit<RunningGateway, 'reload'> {
  /** Subgraphs that are composed. Empty for a supergraph. */
  readonly subgraphs: readonly DevSubgraph[];
  /** Resolves with an example query when a supergraph is served. Undefined if the signal aborts before. */
  untilServed(signal: AbortSignal): Promise<string | undefined>;
}

export interface ServeGraphOptions {
  readonly mock: MockOption;
  /** Directory of the files with values of mocks. */
  readonly mocksDirectory: string;
  readonly report: DevReport;
  /** Environment variables for connectors. */
  readonly environment: Environment;
  /** Last supergraph, which survives restarts. @defaultValue none */
  readonly last?: LastSupergraph;
}

/** Time for requests in progress when the gateway restarts or stops. @unit milliseconds */
const DRAIN_MS = 1_000;
/** Interval at which a new gateway is checked for its first supergraph. @unit milliseconds */
const SERVED_INTERVAL_MS = 50;

/** Starts a gateway that follows its subgraphs, REST documents and mocks. @throws any error of the start */
export async function serveGraph(product: ProductConfig, options: ServeGraphOptions): Promise<ServedGraph> {
  const { engine, ...configured } = product;
  const config = { ...configured, server: { ...configured.server, drainTimeoutMs: Math.min(configured.server.drainTimeoutMs, DRAIN_MS) } };
  if (engine.name === 'apollo') {
    const running = await startEngine({ ...config, engine });
    return { ...running, subgraphs: [], untilServed: async () => '{ __typename }' };
  }
  const { report, environment } = options;
  const resources = createDisposalStack();
  try {
    const subgraphs = listDevSubgraphs(config, options.mock);
    const later: { source?: DevSource; rest?: FollowedRestDocuments } = {};
    const openSource =
      config.supergraph.subgraphs === undefined
        ? undefined
        : await prepareSource(config, subgraphs, { ...options, resources, onServed: () => later.rest?.retry() });
    const { startGateway } = await import('../start-gateway.ts');
    const started = await (openSource === undefined
      ? startGateway(config, { environment })
      : startGateway(withoutOverriddenUrls(config), {
          environment,
          supergraphSource: ({ headersFor }) => (later.source = openSource(headersFor)),
        }));
    const { gateway, rest } = resources.use(started);
    if (rest !== undefined && config.rest !== undefined) {
      const { documents, webhooks } = config.rest;
      const directories = [documents, ...(webhooks === undefined ? [] : [webhooks])];
      later.rest = resources.use(followRestDocuments({ rest, directories, report, onChange: () => later.source?.retry() }));
    }
    return {
      url: started.url,
      internalUrl: started.internalUrl,
      subgraphs,
      untilServed: (signal) => untilServed(gateway, signal),
      [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
    };
  } catch (error) {
    await resources[Symbol.asyncDispose]();
    throw error;
  }
}

interface PrepareOptions extends ServeGraphOptions {
  readonly resources: ReturnType<typeof createDisposalStack>;
  readonly onServed: () => void;
}

type HeadersFor = (subgraph: string, body: string) => Readonly<Record<string, string>>;

/** Starts what the source of the composed supergraph needs. */
async function prepareSource(
  { supergraph }: Pick<ProductConfig, 'supergraph'>,
  subgraphs: readonly DevSubgraph[],
  { mocksDirectory, report, last, resources, onServed }: PrepareOptions,
): Promise<(headersFor: HeadersFor | undefined) => DevSource> {
  requirePackages(['@apollo/composition'], 'composing subgraphs (`gatefold dev`, setting supergraph.subgraphs)');
  const names = subgraphs.map(({ name }) => name);
  const byName = new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph]));
  const client = resources.use(createTextClient());
  const mocks = resources.use(await serveMocks({ names, onInvalidOverrides: (error) => report.problem(error.message) }));
  resources.use(await followMockFiles({ mocks, directory: mocksDirectory, names, report }));
  const watchOptions = { client, mocks, remembered: createRememberedSdl(), report, ...supergraph };
  return (headersFor) =>
    createDevSource({
      names,
      report,
      ...(last === undefined ? {} : { last }),
      onServed,
      compositionTimeoutMs: supergraph.compositionTimeoutMs,
      watch(name, listener) {
        const subgraph = byName.get(name);
        if (subgraph === undefined) throw new Error(`Unknown subgraph "${name}".`);
        return watchDevSubgraph(subgraph, listener, { ...watchOptions, headersFor });
      },
    });
}

async function untilServed(gateway: Gateway, signal: AbortSignal): Promise<string | undefined> {
  while (gateway.generations().current === undefined) {
    if (signal.aborted) return undefined;
    await delay(SERVED_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  const schemas = gateway.onGeneration(({ schema }) => exampleQuery(schema));
  await schemas.ready;
  using pinned = schemas.acquire();
  return pinned.value;
}
