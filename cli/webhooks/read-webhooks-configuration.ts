import { type ConfigurationProblem, ConfigurationInvalid } from '../../gateway/config/configuration-invalid.ts';
import { type EnvironmentNames, WEBHOOKS_PREFIX } from '../../gateway/config/environment-names.ts';
import { type OptionValue, readLayers } from '../../gateway/config/read-layers.ts';
import type { Environment } from '../../gateway/config/read-environment-layer.ts';
import { type WebhooksConfig, webhooksSchema } from '../../subgraphs/webhooks/service/webhooks-sections.ts';

/** Configuration file that is read if no other file is named. */
const WEBHOOKS_FILE = 'webhooks.yaml';

/** Environment variables of the webhook service. The secrets have the names that the gateway uses, because both processes share them. */
export const WEBHOOKS_VARIABLES: EnvironmentNames = {
  prefix: WEBHOOKS_PREFIX,
  special: new Map([
    ['GATEFOLD_PROFILE', ['profile']],
    ['GATEFOLD_IDENTITY_SECRET', ['identity', 'secret']],
    ['GATEFOLD_SERVICE_SECRET', ['gateway', 'serviceSecret']],
    ['GATEFOLD_GATEWAY_URL', ['gateway', 'url']],
    ['GATEFOLD_WEBHOOKS_KEY', ['encryptionKey']],
  ]),
  isForeign: () => false,
};

/** Command line options of the webhook service. */
export interface WebhooksOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly port?: number;
}

/**
 * Reads the configuration of the webhook service from `webhooks.yaml`, the environment and the command line.
 *
 * @throws ConfigurationInvalid with every mistake
 */
export async function readWebhooksConfiguration(options: WebhooksOptions, env: Environment): Promise<WebhooksConfig> {
  const { config, originOf } = await readLayers({
    schema: webhooksSchema,
    file: options.config,
    defaultFile: WEBHOOKS_FILE,
    env,
    variables: WEBHOOKS_VARIABLES,
    options: toOptionValues(options),
    profileDefault: 'production',
  });
  const problems = [...findUnsafe(config), ...findConflicts(config)].map(([path, message]): ConfigurationProblem => {
    const origin = originOf(path.split('.'), 'value');
    return origin === undefined ? { path, message } : { path, message, origin };
  });
  if (problems.length > 0) throw new ConfigurationInvalid(problems);
  return config;
}

function toOptionValues({ profile, port }: WebhooksOptions): readonly OptionValue[] {
  return [
    { name: '--profile', path: ['profile'], value: profile },
    { name: '--port', path: ['server', 'port'], value: port },
  ];
}

type Problem = readonly [path: string, message: string];

/** Lists settings that the production profile requires or rejects. */
function findUnsafe({ profile, encryptionKey, database, delivery }: WebhooksConfig): readonly Problem[] {
  if (profile === 'dev') return [];
  return [
    ...(encryptionKey === undefined
      ? [['encryptionKey', 'required in production: it encrypts the secrets of webhooks. `openssl rand -hex 32` generates one'] as const]
      : []),
    ...(database.url === undefined && database.directory === undefined
      ? [['database', 'set url to a PostgreSQL server, or directory to the data directory of the embedded database'] as const]
      : []),
    ...((delivery.privateHosts ?? []).length > 0
      ? [['delivery.privateHosts', 'allowed only in the dev profile. In production, messages are sent only to public addresses'] as const]
      : []),
  ];
}

function findConflicts({ delivery, identity, gateway }: WebhooksConfig): readonly Problem[] {
  return [
    ...(delivery.leaseMs <= delivery.timeoutMs
      ? [['delivery.leaseMs', `must be longer than delivery.timeoutMs (${delivery.timeoutMs})`] as const]
      : []),
    ...(identity.secret !== undefined && identity.secret === gateway.serviceSecret
      ? [['gateway.serviceSecret', 'must differ from identity.secret'] as const]
      : []),
  ];
}
