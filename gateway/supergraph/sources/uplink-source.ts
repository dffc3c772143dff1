import { createTextClient, shownUrl, type TextClient } from '../../platform/http/client/fetch-text.ts';
import { startPolling, Unreachable } from '../../platform/start-polling.ts';
import type { SupergraphSource } from './supergraph-source.ts';
import type { PollSettings } from './url-source.ts';

export interface UplinkSourceOptions extends PollSettings {
  /** API key of the graph. */
  readonly key: string;
  /** Reference `graph@variant`. */
  readonly graphRef: string;
  /** Endpoints; at least one. If one fails, the next one is tried. */
  readonly endpoints: readonly string[];
}

/** Query with the names of the schema of Apollo Uplink. */
const QUERY = `query SupergraphSdlQuery($apiKey: String!, $ref: String!, $ifAfterId: ID) {
  routerConfig(apiKey: $apiKey, ref: $ref, ifAfterId: $ifAfterId) {
    __typename
    ... on RouterConfigResult { id supergraphSDL minDelaySeconds }
    ... on Unchanged { id minDelaySeconds }
    ... on FetchError { code message minDelaySeconds }
  }
}`;

/** Error codes for which another endpoint may succeed. Other codes refer to the key or the graph. */
const ISSUES_OF_ENDPOINT: ReadonlySet<unknown> = new Set(['RETRY_LATER', 'NOT_IMPLEMENTED_ON_THIS_INSTANCE']);

interface RouterConfig {
  readonly __typename?: unknown;
  readonly id?: unknown;
  readonly supergraphSDL?: unknown;
  readonly minDelaySeconds?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Creates a source that polls a schema registry with the protocol of Apollo Uplink for a graph and variant. */
export function createUplinkSource(options: UplinkSourceOptions): SupergraphSource {
  const client = createTextClient();
  let polling: AsyncDisposable | undefined;
  let known: { readonly id: string; readonly sdl: string } | undefined;
  let turn = 0;

  /** Fetches the configuration from the first available endpoint, starting with the last one that was available. */
  async function poll(signal: AbortSignal): Promise<RouterConfig> {
    let failure: unknown;
    for (let tries = 0; tries < options.endpoints.length; tries += 1) {
      const endpoint = options.endpoints[turn % options.endpoints.length] ?? '';
      try {
        return await requestEndpoint(client, { ...options, endpoint, ifAfterId: known?.id, signal });
      } catch (error) {
        if (signal.aborted) throw error;
        failure = error;
        turn += 1;
      }
    }
    throw failure;
  }

  function read(config: RouterConfig): string {
    const { __typename: kind, id, supergraphSDL: sdl } = config;
    if (kind === 'Unchanged' && known !== undefined) return known.sdl;
    if (kind === 'RouterConfigResult' && typeof id === 'string' && typeof sdl === 'string') {
      known = { id, sdl };
      return sdl;
    }
    throw uplinkErrorOf(config, options.graphRef);
  }

  return {
    name: `the graph ${options.graphRef} of Uplink`,
    isLocal: false,
    start({ onSupergraph, onProblem }) {
      polling = startPolling({
        intervalMs: options.pollIntervalMs,
        sleep: options.sleep,
        async look(signal) {
          const config = await poll(signal);
          onSupergraph(read(config));
          return delayIn(config);
        },
        onFailure: (error) => onProblem(error as Error),
      });
    },
    async [Symbol.asyncDispose]() {
      await polling?.[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface EndpointRequest extends UplinkSourceOptions {
  readonly endpoint: string;
  readonly ifAfterId: string | undefined;
  readonly signal: AbortSignal;
}

async function requestEndpoint(client: TextClient, request: EndpointRequest): Promise<RouterConfig> {
  const { endpoint, key, graphRef, ifAfterId, requestTimeoutMs: timeoutMs, maxBytes, signal } = request;
  const variables = { apiKey: key, ref: graphRef, ...(ifAfterId === undefined ? {} : { ifAfterId }) };
  const { status, text } = await client.fetch(
    {
      url: endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'apollographql-client-name': 'gatefold' },
      body: JSON.stringify({ query: QUERY, operationName: 'SupergraphSdlQuery', variables }),
    },
    { timeoutMs, maxBytes, signal },
  );
  const config = routerConfigIn(text);
  if (config?.__typename === 'FetchError' && ISSUES_OF_ENDPOINT.has(config.code)) throw uplinkErrorOf(config, graphRef);
  if (config !== undefined) return config;
  throw new Unreachable(`${shownUrl(endpoint)} responded with status ${status} and without a supergraph.`);
}

function routerConfigIn(text: string): RouterConfig | undefined {
  try {
    const body = JSON.parse(text) as { readonly data?: { readonly routerConfig?: RouterConfig | null } | null } | null;
    return body?.data?.routerConfig ?? undefined;
  } catch {
    return undefined;
  }
}

function uplinkErrorOf(config: RouterConfig, graphRef: string): Unreachable {
  const { __typename: kind, code, message } = config;
  const reason = kind === 'FetchError' ? `${String(code)}: ${String(message)}` : 'its response has an unexpected format';
  return new Unreachable(`Uplink has no supergraph for ${graphRef}: ${reason}.`, { retryAfterMs: delayIn(config) });
}

/** @unit milliseconds */
function delayIn({ minDelaySeconds }: RouterConfig): number {
  return typeof minDelaySeconds === 'number' && minDelaySeconds > 0 ? minDelaySeconds * 1_000 : 0;
}
