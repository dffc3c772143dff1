import type { GraphQLSchema } from 'graphql';
import { createGateway, type GatewayConfigInput, type Hooks } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';
import { requestMultipart } from '../../support/http/multipart-reader.ts';
import { translateConfiguration } from './router-configuration.ts';

/** A supergraph of the corpus with its configuration, and what a test sets outside of them. */
export interface CorpusGraph {
  readonly sdl: string;
  /** Configuration of the other router. */
  readonly configuration: unknown;
  /** Names of the headers that clients send. */
  readonly clientHeaders: readonly string[];
  /** Returns the path of a file that the configuration names. */
  readonly fileOf?: (path: string) => string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Values that code of the other router adds to `$context` of each request. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** A response to a client: its payloads, which are several for an operation with `@defer`. */
export interface CorpusResponse {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly payloads: readonly unknown[];
}

/** A gateway that serves a supergraph of the corpus over HTTP. */
export interface CorpusGateway extends AsyncDisposable {
  /** Parts of the configuration that have no equivalent, each with the reason. */
  readonly ignored: readonly string[];
  readonly schema: GraphQLSchema;
  send(body: unknown, headers: Readonly<Record<string, string | string[]>>): Promise<CorpusResponse>;
}

/** Opens a gateway. @throws if it rejects the supergraph or the configuration */
export async function openCorpusGateway(graph: CorpusGraph): Promise<CorpusGateway> {
  const { sdl, clientHeaders, environment = {}, fileOf = (path) => path } = graph;
  const supergraph = loadSupergraph(sdl);
  const { config, coprocessorUrl, ignored } = translateConfiguration(graph.configuration, {
    supergraph,
    clientHeaders,
    fileOf,
  });
  const gateway = await createGateway(
    { ...config, ...settingsFor(sdl, config, Object.keys(environment)) },
    { logger: silentLogger, environment, hooks: hooksFor(coprocessorUrl, graph.context ?? {}) },
  );
  const { url } = await gateway.listen();
  return {
    ignored,
    schema: supergraph.schema,
    async send(body, headers) {
      const response = await requestMultipart({ url: `${url}/graphql`, body, headers: { accept: 'application/json', ...headers } });
      return { headers: response.headers, payloads: await response.rest() };
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** Returns settings for defaults of the other router: it repeats no requests, and its connectors read all environment variables. */
function settingsFor(sdl: string, { subgraphs, connectors }: GatewayConfigInput, env: string[]): GatewayConfigInput {
  return {
    profile: 'dev',
    server: { port: 0, internalPort: 0 },
    supergraph: { sdl },
    subgraphs: { ...subgraphs, retry: { maxRetries: 0 } },
    connectors: { ...connectors, env },
    ...forFewCallers({}),
  };
}

/** Adds values to `$context` as the other router does: from its code, and from the response of a coprocessor. */
function hooksFor(coprocessorUrl: string | undefined, context: Readonly<Record<string, unknown>>): Hooks {
  return {
    async onRequest({ state, signal }) {
      for (const [name, value] of Object.entries(context)) state.set(name, value);
      if (coprocessorUrl === undefined) return;
      const entries = Object.fromEntries([...state].filter(([name]) => typeof name === 'string'));
      const body = JSON.stringify({ version: 1, stage: 'SupergraphRequest', control: 'continue', context: { entries } });
      const response = await fetch(coprocessorUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal });
      const received: unknown = await response.json();
      const added = isRecord(received) && isRecord(received['context']) ? received['context']['entries'] : undefined;
      for (const [name, value] of Object.entries(isRecord(added) ? added : {})) state.set(name, value);
    },
  };
}
