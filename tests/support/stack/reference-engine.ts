import { join } from 'node:path';
import { startApolloEngine } from '../../../cli/apollo-engine/start-apollo-engine.ts';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { restSection } from '../../../rest-facade/index.ts';
import { addressSettings } from './reference-addresses.ts';
import type { ReferenceGatewayOptions } from './reference-gateway.ts';

/** Starts the Apollo engine with the REST facade, in this process and on free ports, as `gatefold dev --engine apollo` does. */
export async function startReferenceEngine(
  options: Pick<ReferenceGatewayOptions, 'subgraphUrls' | 'developmentKey' | 'identitySecret'>,
): Promise<RunningGateway> {
  const { subgraphUrls, developmentKey, identitySecret } = options;
  const { override, connectors } = addressSettings(subgraphUrls);
  return startApolloEngine({
    ...resolveGatewayConfig({
      profile: 'dev',
      server: { port: 0, internalPort: 0 },
      supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
      subgraphs: { override },
      connectors,
      limits: { modes: { cost: 'measure', pageSize: 'measure' } },
      auth: { developmentKey },
      identity: { form: 'bound', secret: identitySecret },
      logging: { level: 'silent' },
    }),
    engine: { name: 'apollo', rules: 'subgraphs', subscriptions: 'omit' },
    rest: restSection.parse({ documents: join(packageRoot, 'schema/rest') }),
  });
}
