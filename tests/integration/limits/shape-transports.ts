import { createHash } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import type { GatewayDependencies } from '../../../gateway/gateway.ts';
import { createGateway, type Gateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade, toExpress } from '../../../rest-facade/index.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';
import { queryByWebSocket } from '../../support/websocket/query-by-websocket.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';

/** The reference graph behind test subgraphs that return no data, or the given responses, and count their requests. */
export interface ShapesUnderTest extends AsyncDisposable {
  readonly http: HttpClient;
  readonly gateway: Gateway;
  /** Number of subgraph requests until now. */
  requested(): number;
}

export async function startShapes(
  config: GatewayConfigInput = {},
  { respond, ...dependencies }: GatewayDependencies & { readonly respond?: SubgraphExecutor } = {},
): Promise<ShapesUnderTest> {
  let requested = 0;
  const executor: SubgraphExecutor = async (request, signal) => {
    requested += 1;
    return respond === undefined ? { data: {} } : respond(request, signal);
  };
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, maxUrlBytes: 32_768 },
      supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
      graphql: { introspection: false },
      logging: { level: 'silent' },
      ...config,
      ...forFewCallers(config),
    },
    {
      logger: silentLogger,
      subgraphExecutor: () => Object.assign(executor, { async [Symbol.asyncDispose]() {} }),
      ...dependencies,
    },
  );
  gateway.mount(
    express()
      .disable('x-powered-by')
      .use(toExpress(createRestFacade({ gateway, documents: join(packageRoot, 'schema/rest') }))),
  );
  const { url } = await gateway.listen();
  return {
    http: createHttpClient({ origin: url }),
    gateway,
    requested: () => requested,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** Request parameters, independent of the transport. */
export interface QueryResult {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
}

interface ReceivedResponse {
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string; readonly cost?: unknown } }[];
}

/** A transport that accepts documents of clients. */
export interface ShapeTransport {
  readonly name: string;
  request(http: HttpClient, requested: QueryResult, headers?: Readonly<Record<string, string>>): Promise<HttpResponse<ReceivedResponse>>;
}

/** All transports that accept documents. Each new one gets a row here. */
export const SHAPE_TRANSPORTS: readonly ShapeTransport[] = [
  { name: 'POST', request: (http, requested, headers = {}) => http.post<ReceivedResponse>('/graphql', requested, { headers }) },
  { name: 'GET', request: (http, requested, headers = {}) => http.get<ReceivedResponse>(targetOf(requested), { headers }) },
  {
    name: 'GET with its hash',
    request(http, requested, headers = {}) {
      const sha256Hash = createHash('sha256').update(requested.query).digest('hex');
      return http.get<ReceivedResponse>(targetOf({ ...requested, extensions: { persistedQuery: { version: 1, sha256Hash } } }), {
        headers,
      });
    },
  },
  {
    name: 'POST that takes events',
    request: (http, requested, { accept = 'application/json', ...headers } = {}) =>
      http.post<ReceivedResponse>('/graphql', requested, { headers: { ...headers, accept: `text/event-stream, ${accept}` } }),
  },
  {
    name: 'GET that takes events',
    request: (http, requested, { accept = 'application/json', ...headers } = {}) =>
      http.get<ReceivedResponse>(targetOf(requested), { headers: { ...headers, accept: `text/event-stream, ${accept}` } }),
  },
  {
    name: 'POST that takes events in parts',
    request: (http, requested, { accept = 'application/json', ...headers } = {}) =>
      http.post<ReceivedResponse>('/graphql', requested, {
        headers: { ...headers, accept: `multipart/mixed;subscriptionSpec=1.0, ${accept}` },
      }),
  },
  {
    name: 'WebSocket',
    async request(http, requested, { accept } = {}) {
      const body = (await queryByWebSocket(http.origin, requested)) as ReceivedResponse;
      // A WebSocket has no status, so the status is that of the same response over HTTP.
      const status = body.errors === undefined || 'data' in body || accept === 'application/json' ? 200 : 400;
      const text = JSON.stringify(body);
      return { status, body, text, headers: {}, rawHeaders: [], bytes: Buffer.from(text) };
    },
  },
];

function targetOf({ query, operationName, variables, extensions }: QueryResult & { readonly extensions?: unknown }): string {
  const parameters = new URLSearchParams({ query });
  if (operationName !== undefined) parameters.set('operationName', operationName);
  if (variables !== undefined) parameters.set('variables', JSON.stringify(variables));
  if (extensions !== undefined) parameters.set('extensions', JSON.stringify(extensions));
  return `/graphql?${parameters.toString()}`;
}
