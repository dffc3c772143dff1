import { join } from 'node:path';
import { type RunningGateway, startGateway } from '../../../cli/start-gateway.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { restSection } from '../../../rest-facade/index.ts';
import { addressSettings } from './reference-addresses.ts';

export interface ReferenceGatewayOptions {
  /** URLs of the subgraphs, and of the back end of `shipping`. */
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly developmentKey: string;
  readonly identitySecret: string;
  /** Key of services that send requests on behalf of others. @defaultValue no such services */
  readonly serviceSecret?: string;
  /** Sections that override the ones defined here. */
  readonly config?: GatewayConfigInput;
  /** Whether the gateway reads plain requests itself. @defaultValue the default of the setting */
  readonly plainReader?: boolean | undefined;
  /** Directory of the REST documents. @defaultValue the documents of the reference graph */
  readonly documents?: string;
}

/** Starts the gateway and the REST facade, in this process and on free ports, as the command line does. */
export async function startReferenceGateway(options: ReferenceGatewayOptions): Promise<RunningGateway> {
  const { subgraphUrls, developmentKey, identitySecret, serviceSecret, config, plainReader } = options;
  const { documents = join(packageRoot, 'schema/rest') } = options;
  const { override, connectors } = addressSettings(subgraphUrls);
  return startGateway({
    ...resolveGatewayConfig({
      profile: 'dev',
      // Other programs use the processors of a machine that runs tests, so the gateway would reject requests.
      server: { port: 0, internalPort: 0, plainReader, overload: { enabled: false } },
      supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
      auth: { developmentKey },
      identity: { form: 'bound', secret: identitySecret, ...(serviceSecret === undefined ? {} : { serviceSecret }) },
      logging: { level: 'silent' },
      connectors,
      ...config,
      subgraphs: { ...config?.subgraphs, override },
    }),
    rest: restSection.parse({ documents, webhooks: join(packageRoot, 'schema/webhooks') }),
  });
}
