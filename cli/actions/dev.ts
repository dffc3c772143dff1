import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { auth as authSection } from '../../gateway/config/sections/auth.ts';
import { identity as identitySection } from '../../gateway/config/sections/identity.ts';
import { namedSources } from '../../gateway/config/sections/supergraph.ts';
import { publicKeysOf, readIdentityKey } from '../../gateway/config/identity-key.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { restSection } from '../../rest-facade/config.ts';
import { CommandFailed } from '../command-failed.ts';
import { type CommandDefaults, type ProductConfig, type ServeOptions, readProductConfig } from '../configuration.ts';
import { developmentCredentials } from '../development-credentials.ts';
import { hasReferenceSubgraphs, startReferenceSubgraphs } from '../reference-subgraphs.ts';
import { requireFreePort } from '../require-free-port.ts';
import { startEngine } from '../start-engine.ts';
import type { Terminal } from '../terminal.ts';
import { type WelcomeCredentials, signWelcomeTokens, welcome } from '../welcome.ts';

const REFERENCE_SUPERGRAPH = join(packageRoot, 'schema/supergraph.graphql');
const REFERENCE_DOCUMENTS = join(packageRoot, 'schema/rest');
const REFERENCE_WEBHOOKS = join(packageRoot, 'schema/webhooks');
const DEFAULTS: CommandDefaults = {
  profile: 'dev',
  supergraphFile: REFERENCE_SUPERGRAPH,
  restDirectories: { documents: REFERENCE_DOCUMENTS, webhooks: REFERENCE_WEBHOOKS },
};
const WITHOUT_REFERENCE = [
  'The reference graph is not part of the published package. To run it, use `npm start` in a checkout of the repository.',
  'To serve another supergraph, run `gatefold dev --supergraph <file>`. `gatefold compose` writes a supergraph file.',
].join('\n');
/** Mutations of the reference graph whose responses contain a secret. */
export const REFERENCE_NO_STORE = ['Mutation.createWebhook', 'Mutation.rotateWebhookSecret'];
export const REFERENCE_SINGLE_USE = ['Mutation.createPayment', ...REFERENCE_NO_STORE];

/** Serves until the process receives a stop signal. @throws CommandFailed, and any error of the start */
export async function dev(options: ServeOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const hasReference = hasReferenceSubgraphs();
  const read = await readProductConfig(options, hasReference ? DEFAULTS : { profile: 'dev' }, terminal);
  const isReference = namedSources(read.supergraph).length === 0;
  if (isReference && !hasReference) throw new CommandFailed(WITHOUT_REFERENCE, { exitCode: 2 });
  const { config, ...credentials } = await withCredentials(read);
  try {
    await requireFreePort(config.server.host, config.server.port, 'PORT=5000 npm start, or --port');
    await (isReference ? serveReference(config, credentials, stop, terminal) : serveConfigured(config, credentials, stop, terminal));
  } catch (error) {
    // If the operator stops the command during the start, the resulting error is not reported.
    if (!stop.aborted) throw error;
  }
}

/** Creates an API key and a login if the profile has a development key and none are configured. Returns them with the tokens to print. */
async function withCredentials(config: ProductConfig): Promise<WelcomeCredentials & { readonly config: ProductConfig }> {
  const { developmentKey, providers } = config.auth;
  if (developmentKey === undefined) return { config, tokens: undefined, apiKey: undefined, login: undefined };
  const [tokens, { apiKeyFile, usersFile, apiKey, login }] = await Promise.all([
    signWelcomeTokens(developmentKey),
    developmentCredentials(developmentKey),
  ]);
  const made = authSection.shape.providers.parse({ apiKey: { file: apiKeyFile }, basic: { file: usersFile } });
  return {
    config: { ...config, auth: { ...config.auth, providers: { ...made, ...providers } } },
    tokens,
    apiKey: providers.apiKey === undefined ? apiKey : undefined,
    login: providers.basic === undefined ? login : undefined,
  };
}

async function serveConfigured(
  config: ProductConfig,
  credentials: WelcomeCredentials,
  stop: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  await using gateway = await startEngine(config);
  terminal.print(welcome(gateway, credentials, { isReference: false, isDescribed: config.rest?.docs === true }));
  await untilAborted(stop);
}

async function serveReference(
  config: ProductConfig,
  credentials: WelcomeCredentials,
  stop: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const { identity, serviceSecret, trust } = identityOf(config);
  const [subgraphs] = await Promise.all([
    startReferenceSubgraphs({
      env: terminal.env,
      identitySecret: trust,
      serviceSecret,
      profile: config.profile,
      onOutput: (text) => terminal.warn(text.trimEnd()),
      signal: stop,
    }),
    // Loaded while the process of the subgraphs starts.
    config.engine.name === 'gatefold' ? import('../start-gateway.ts') : import('../apollo-engine/start-apollo-engine.ts'),
  ]);
  await using _subgraphs = subgraphs;
  await using gateway = await startEngine(referenceConfig({ ...config, identity }, subgraphs.urls));
  // Webhooks require the events of the Gatefold engine.
  if (config.engine.name === 'gatefold') subgraphs.notifyGateway(gateway.internalUrl);
  terminal.print(welcome(gateway, credentials, { isReference: true, isDescribed: config.rest?.docs ?? true }));
  await Promise.race([untilAborted(stop), subgraphs.died]);
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

/** Adds the settings of the reference graph. Configured settings take precedence. */
function referenceConfig(config: ProductConfig, urls: Readonly<Record<string, string>>): ProductConfig {
  const started = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }]));
  const graph = {
    ...config,
    supergraph: { ...config.supergraph, file: REFERENCE_SUPERGRAPH },
    subgraphs: { ...config.subgraphs, override: { ...started, ...config.subgraphs.override } },
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
      limits: { ...config.limits, singleUse, modes: { ...modes, cost: modes.cost ?? 'measure', pageSize: modes.pageSize ?? 'measure' } },
    };
  }
  return {
    ...graph,
    limits: { ...config.limits, singleUse: [...new Set([...REFERENCE_SINGLE_USE, ...config.limits.singleUse])] },
    idempotency: { ...config.idempotency, noStore: [...new Set([...REFERENCE_NO_STORE, ...config.idempotency.noStore])] },
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
