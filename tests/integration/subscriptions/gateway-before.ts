import { join } from 'node:path';
import { createGateway, type GatewayConfigInput } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { addressSettings } from '../../support/stack/reference-addresses.ts';

export interface GatewayBeforeOptions {
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly developmentKey: string;
  readonly identitySecret: string;
  /** Configuration sections that replace the defaults of this helper. */
  readonly config?: Omit<GatewayConfigInput, 'supergraph'>;
}

/** Starts a gateway for running reference subgraphs in this process. */
export async function startGatewayBefore({ subgraphUrls, developmentKey, identitySecret, config }: GatewayBeforeOptions) {
  const { override, connectors } = addressSettings(subgraphUrls);
  const gateway = await createGateway({
    profile: 'dev',
    server: { port: 0, internalPort: 0, drainTimeoutMs: 3_000 },
    supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
    auth: { developmentKey },
    identity: { form: 'bound', secret: identitySecret },
    logging: { level: 'silent' },
    budget: { mode: 'off' },
    connectors,
    ...config,
    subgraphs: { ...config?.subgraphs, override },
  });
  return { ...(await gateway.listen()), [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}
