import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { publicKeysOf, readIdentityKey } from '../../gateway/config/identity-key.ts';
import { connectors as connectorsSection } from '../../gateway/config/sections/connectors.ts';
import { identity as identitySection } from '../../gateway/config/sections/identity.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { restSection } from '../../rest-facade/config.ts';
import type { CommandDefaults, ProductConfig } from '../configuration.ts';
import { type ReferenceSubgraphs, startReferenceSubgraphs } from '../reference-subgraphs.ts';
import type { Terminal } from '../terminal.ts';

const REFERENCE_SUPERGRAPH = join(packageRoot, 'schema/supergraph.graphql');
const REFERENCE_DOCUMENTS = join(packageRoot, 'schema/rest');
const REFERENCE_WEBHOOKS = join(packageRoot, 'schema/webhooks');

/** Defaults of `gatefold dev` for the reference graph. */
export const REFERENCE_DEFAULTS: CommandDefaults = {
  profile: 'dev',
  supergraphFile: REFERENCE_SUPERGRAPH,
  restDirectories: { documents: REFERENCE_DOCUMENTS, webhooks: REFERENCE_WEBHOOKS },
};

/** Mutations of the reference graph whose responses contain a secret. */
export const REFERENCE_NO_STORE = ['Mutation.createWebhook', 'Mutation.rotateWebhookSecret'];
export const REFERENCE_SINGLE_USE = ['Mutation.createPayment', ...REFERENCE_NO_STORE];

/** The reference subgraphs, and how a configuration is completed to serve them. */
export interface ReferenceGraph extends AsyncDisposable {
  /** Adds the settings of the reference graph. Configured settings take precedence. */
  configure(config: ProductConfig): ProductConfig;
  /** Sends the URL of the internal listener of the gateway, where webhooks read events. */
  readonly notifyGateway: (internalUrl: string) => void;
  /** Description of the database in use. */
  readonly database: string;
  /** Rejects with a CommandFailed if the process ends unexpectedly. Never resolves. */
  readonly died: Promise<never>;
}

/** Starts the reference subgraphs. @throws CommandFailed if their process ends instead */
export async function startReferenceGraph(config: ProductConfig, stop: AbortSignal, terminal: Terminal): Promise<ReferenceGraph> {
  const { identity, serviceSecret, trust } = identityOf(config);
  const [subgraphs] = await Promise.all([
    startReferenceSubgraphs({
      env: { ...terminal.env, GATEFOLD_LOGGING__FORMAT: config.logging.format },
      identitySecret: trust,
      serviceSecret,
      profile: config.profile,
      onOutput: (text) => terminal.warn(text.trimEnd()),
      signal: stop,
    }),
    // Loaded while the process of the subgraphs starts.
    config.engine.name === 'gatefold' ? import('../start-gateway.ts') : import('../apollo-engine/start-apollo-engine.ts'),
  ]);
  return {
    configure: (current) => referenceConfig({ ...current, identity }, subgraphs),
    notifyGateway: subgraphs.notifyGateway,
    database: describeDatabase(subgraphs.database, terminal.env),
    died: subgraphs.died,
    [Symbol.asyncDispose]: () => subgraphs[Symbol.asyncDispose](),
  };
}

/** Describes the database in use. Many programs set `DATABASE_URL`, so the user is informed that the reference graph does not use it. */
function describeDatabase(database: string, env: Terminal['env']): string {
  const isMistakable = Boolean(env['DATABASE_URL']) && !env['GATEFOLD_REFERENCE_DATABASE_URL'];
  return isMistakable ? `${database} (DATABASE_URL is not used; GATEFOLD_REFERENCE_DATABASE_URL selects a server)` : database;
}

/**
 * Returns the identity settings with which the gateway signs the caller and the subgraphs verify it: the configured ones, or a secret that
 * lasts as long as the process.
 */
function identityOf({ identity }: ProductConfig) {
  const serviceSecret = identity.serviceSecret ?? randomBytes(32).toString('base64url');
  const trust = publicKeysOf(readIdentityKey(identity));
  // The reference subgraphs accept only identities with a proof over the request body.
  const bound = { ...identity, ...identitySection.parse({ form: 'bound' }), serviceSecret };
  if (trust !== undefined) return { identity: bound, serviceSecret, trust };
  const secret = identity.secret ?? randomBytes(32).toString('base64url');
  return { identity: { ...bound, secret }, serviceSecret, trust: secret };
}

/** Adds the URLs of back ends to the settings of connectors. Configured settings take precedence. */
function withBackEnds(connectors: ProductConfig['connectors'], backEnds: ReferenceSubgraphs['backEnds']): ProductConfig['connectors'] {
  const subgraphs = { ...connectors.subgraphs };
  for (const [name, sources] of Object.entries(backEnds)) {
    const own = subgraphs[name];
    const located = Object.entries(sources).map(([source, baseUrl]) => [source, { baseUrl, ...own?.sources[source] }] as const);
    const parsed = connectorsSection.parse({
      subgraphs: { [name]: { ...own, sources: { ...own?.sources, ...Object.fromEntries(located) } } },
    });
    Object.assign(subgraphs, parsed.subgraphs);
  }
  return { ...connectors, subgraphs };
}

/** Adds the settings of the reference graph. Configured settings take precedence. */
function referenceConfig(config: ProductConfig, { urls, backEnds }: Pick<ReferenceSubgraphs, 'urls' | 'backEnds'>): ProductConfig {
  const started = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }]));
  const graph = {
    ...config,
    supergraph: { ...config.supergraph, file: REFERENCE_SUPERGRAPH },
    subgraphs: { ...config.subgraphs, override: { ...started, ...config.subgraphs.override } },
    connectors: withBackEnds(config.connectors, backEnds),
    rest: config.rest ?? restSection.parse({ documents: REFERENCE_DOCUMENTS, webhooks: REFERENCE_WEBHOOKS }),
  };
  if (config.engine.name === 'apollo') {
    const { modes } = config.limits;
    const singleUse = [...new Set([...REFERENCE_SINGLE_USE, ...config.limits.singleUse])];
    return {
      ...graph,
      // The reference subgraphs enforce the rules based on the identity header. Without subscriptions there are no webhooks, and only
      // webhooks use the service secret.
      engine: { name: 'apollo', rules: 'subgraphs', subscriptions: 'omit' },
      identity: { ...config.identity, serviceSecret: undefined },
      limits: {
        ...config.limits,
        singleUse,
        modes: { ...modes, cost: modes.cost === 'enforce' ? 'enforce' : 'measure', pageSize: modes.pageSize ?? 'measure' },
      },
    };
  }
  return {
    ...graph,
    limits: { ...config.limits, singleUse: [...new Set([...REFERENCE_SINGLE_USE, ...config.limits.singleUse])] },
    idempotency: { ...config.idempotency, noStore: [...new Set([...REFERENCE_NO_STORE, ...config.idempotency.noStore])] },
  };
}
