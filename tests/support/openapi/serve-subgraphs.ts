import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';

/** Response to an operation, parsed. */
export interface ServedResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** A gateway that serves subgraphs with connectors. */
export interface ServedSubgraphs extends AsyncDisposable {
  query(query: string, variables?: object): Promise<ServedResponse>;
}

/** Composes subgraphs with connectors, and serves them. @throws Error if they do not compose */
export async function serveSubgraphs(
  subgraphs: Readonly<Record<string, string>>,
  config: GatewayConfigInput = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedSubgraphs> {
  const sources = Object.entries(subgraphs).map(([name, text]) => ({ name, url: '', files: [{ path: `${name}.graphql`, text }] }));
  const { supergraphSdl, errors } = composeSubgraphs(sources);
  if (supergraphSdl === undefined) throw new Error(JSON.stringify(errors));
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      ...config,
      supergraph: { sdl: supergraphSdl },
      ...forFewCallers({}),
    },
    { logger: silentLogger, environment },
  );
  const { url } = await gateway.listen();
  return {
    async query(query, variables) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as ServedResponse;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
    },
  };
}
