/** Names of the environment variables of one process. */
export interface EnvironmentNames {
  /** Prefix of the variables whose names are derived from a path. Unknown variables with it are mistakes. */
  readonly prefix: string;
  /** Variables whose names are not derived from a path. */
  readonly special: ReadonlyMap<string, readonly string[]>;
  /** Whether a variable with the prefix belongs to another process of the product. */
  readonly isForeign: (name: string) => boolean;
}

/** Prefix of the variables of the webhook service. */
export const WEBHOOKS_PREFIX = 'GATEFOLD_WEBHOOKS__';

/** Variables that the command itself or other processes of the product read. */
const NAMES_OF_OTHERS: ReadonlySet<string> = new Set([
  'GATEFOLD_CACHE_DIR',
  'GATEFOLD_DATA_DIR',
  'GATEFOLD_GATEWAY_URL',
  'GATEFOLD_REFERENCE_DATABASE_URL',
  'GATEFOLD_WEBHOOKS_KEY',
  'GATEFOLD_WEBHOOKS_MAX_ENDPOINTS',
  'GATEFOLD_WEBHOOKS_PRIVATE_HOSTS',
  'GATEFOLD_WORKER',
]);

/** Variables of the gateway. */
export const GATEWAY_VARIABLES: EnvironmentNames = {
  prefix: 'GATEFOLD_',
  special: new Map([
    ['PORT', ['server', 'port']],
    ['INTERNAL_PORT', ['server', 'internalPort']],
    ['HOST', ['server', 'host']],
    ['INTERNAL_HOST', ['server', 'internalHost']],
    ['GATEFOLD_PROFILE', ['profile']],
    ['GATEFOLD_IDENTITY_SECRET', ['identity', 'secret']],
    ['GATEFOLD_SERVICE_SECRET', ['identity', 'serviceSecret']],
    ['REDIS_URL', ['redis', 'url']],
    ['APOLLO_KEY', ['supergraph', 'uplink', 'key']],
    ['APOLLO_GRAPH_REF', ['supergraph', 'uplink', 'graphRef']],
  ]),
  isForeign: (name) => name.startsWith(WEBHOOKS_PREFIX) || NAMES_OF_OTHERS.has(name.replace(/_FILE$/, '')),
};
