import { createHash } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import { createGateway, type Gateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade, toExpress } from '../../../rest-facade/index.ts';
import { createHttpClient, type HttpAnswer, type HttpClient } from '../../support/http-client.ts';

/** The reference graph behind subgraphs that have nothing to say, and count how often they are asked. */
export interface ShapesUnderTest extends AsyncDisposable {
  readonly http: HttpClient;
  readonly gateway: Gateway;
  /** Requests to subgraphs so far. */
  asked(): number;
}

export async function startShapes(config: GatewayConfigInput = {}): Promise<ShapesUnderTest> {
  let asked = 0;
  const executor: SubgraphExecutor = async () => {
    asked += 1;
    return { data: {} };
  };
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, maxUrlBytes: 32_768 },
      supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
      graphql: { introspection: false },
      logging: { level: 'silent' },
      ...config,
    },
    { logger: silentLogger, subgraphExecutor: () => Object.assign(executor, { async [Symbol.asyncDispose]() {} }) },
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
    asked: () => asked,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** What is asked, whichever way it is written down. */
export interface Asked {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
}

interface Answer {
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string; readonly cost?: unknown } }[];
}

/** A door by which a document of the client's own comes in. */
export interface ShapeDoor {
  readonly name: string;
  ask(http: HttpClient, asked: Asked, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer<Answer>>;
}

/** Each door that takes documents has a row here. */
export const SHAPE_DOORS: readonly ShapeDoor[] = [
  { name: 'POST', ask: (http, asked, headers = {}) => http.post<Answer>('/graphql', asked, { headers }) },
  { name: 'GET', ask: (http, asked, headers = {}) => http.get<Answer>(targetOf(asked), { headers }) },
  {
    name: 'GET with its hash',
    ask(http, asked, headers = {}) {
      const sha256Hash = createHash('sha256').update(asked.query).digest('hex');
      return http.get<Answer>(targetOf({ ...asked, extensions: { persistedQuery: { version: 1, sha256Hash } } }), { headers });
    },
  },
];

function targetOf({ query, operationName, variables, extensions }: Asked & { readonly extensions?: unknown }): string {
  const parameters = new URLSearchParams({ query });
  if (operationName !== undefined) parameters.set('operationName', operationName);
  if (variables !== undefined) parameters.set('variables', JSON.stringify(variables));
  if (extensions !== undefined) parameters.set('extensions', JSON.stringify(extensions));
  return `/graphql?${parameters.toString()}`;
}
