import { emitWarning } from 'node:process';
import { checkSections } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { BudgetConfig } from './sections/budget.ts';
import { refuseIdentityConflicts } from './refuse-identity-conflicts.ts';
import type { ResolvedSupergraphSection } from './sections/supergraph.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import { describeOldName, withNewNames } from './renamed-settings.ts';
import type { LogFormat } from '../platform/logger.ts';
import { type GatewayConfig, type GatewayConfigInput, gatewayConfig } from './sections.ts';
import { compileSettings } from './settings.ts';

/** Configuration in which all defaults are resolved, including those that depend on the profile or on another key. */
export interface ResolvedGatewayConfig extends GatewayConfig {
  readonly supergraph: ResolvedSupergraphSection;
  readonly logging: GatewayConfig['logging'] & { readonly format: LogFormat };
  readonly server: GatewayConfig['server'] & {
    readonly internalPort: number;
    readonly requireTls: boolean;
    readonly shutdown: { readonly lameDuckMs: number };
    readonly cors: GatewayConfig['server']['cors'] & { readonly localPages: boolean };
  };
  readonly graphql: GatewayConfig['graphql'] & { readonly introspection: boolean; readonly graphiql: boolean };
  readonly limits: LimitsConfig;
  readonly budget: BudgetConfig;
}

/** Section `limits` with all defaults resolved. */
export type LimitsConfig = GatewayConfig['limits'] & {
  readonly mode: 'enforce' | 'measure';
  /** @unit points */
  readonly maxCost: number;
  readonly modes: { readonly cost: 'enforce' | 'measure' | 'auto' };
};

/** @unit milliseconds */
const LAME_DUCK_MS = 2_000;

/** Cost limit of operations. @unit points */
const DEFAULT_MAX_COST = 5_000;

/** Budget of an address without credentials. @unit points, points per second */
const DEFAULT_ANONYMOUS_BUDGET = { capacity: 5_000, refillPerSecond: 50 };

/**
 * Checks the configuration of an embedding application and resolves its defaults.
 *
 * @throws ConfigurationInvalid with every mistake, including settings that the production profile rejects
 */
export function resolveGatewayConfig(input: GatewayConfigInput): ResolvedGatewayConfig {
  const current = withNewNames(input, (oldName) => emitWarning(describeOldName(oldName), 'DeprecationWarning'));
  const checked = checkSections(gatewayConfig, compileSettings(gatewayConfig), current, nowhere);
  if ('problems' in checked) throw new ConfigurationInvalid(checked.problems);
  const problems = [...refuseIdentityConflicts(checked.config, nowhere), ...refuseUnsafe(checked.config, nowhere)];
  if (problems.length > 0) throw new ConfigurationInvalid(problems);
  return resolveDefaults(checked.config);
}

/** Returns undefined, because values that are passed in code have no location in a file. */
function nowhere(): undefined {}

/**
 * Resolves all defaults that depend on the profile or on another key. No other code resolves such defaults. Resolving a resolved
 * configuration again changes nothing, because `createGateway` also accepts resolved ones.
 */
export function resolveDefaults<Config extends GatewayConfig>(config: Config): Config & ResolvedGatewayConfig {
  const isDev = config.profile === 'dev';
  const { cors } = config.server;
  const budgetMode = config.budget.mode ?? (isDev ? 'measure' : 'enforce');
  return {
    ...config,
    server: {
      ...config.server,
      internalPort: config.server.internalPort ?? defaultInternalPort(config.server.port),
      requireTls: config.server.requireTls ?? requiresTls(config),
      shutdown: { lameDuckMs: config.server.shutdown.lameDuckMs ?? (isDev ? 0 : LAME_DUCK_MS) },
      cors: { ...cors, localPages: cors.localPages ?? (isDev && cors.origins.length === 0) },
    },
    supergraph: { ...config.supergraph, pollIntervalMs: config.supergraph.pollIntervalMs ?? (isDev ? 500 : 10_000) },
    logging: { ...config.logging, format: config.logging.format ?? (isDev ? 'pretty' : 'json') },
    subgraphs: { ...config.subgraphs, errorMessages: config.subgraphs.errorMessages ?? (isDev ? 'all' : 'listed') },
    graphql: {
      ...config.graphql,
      introspection: config.graphql.introspection ?? isDev,
      graphiql: config.graphql.graphiql ?? isDev,
    },
    limits: resolveLimits(config.limits),
    budget: {
      ...config.budget,
      mode: budgetMode,
      headers: config.budget.headers ?? budgetMode === 'enforce',
      anonymous: resolveAnonymousBudget(config, budgetMode),
    },
  };
}

/** Enforces the cost limit of an operator. Without one, the supergraph decides, because assumed list sizes exceed most actual ones. */
function resolveLimits(limits: GatewayConfig['limits']): LimitsConfig {
  const { mode, modes, maxCost } = limits;
  const cost = modes.cost ?? mode ?? (maxCost === undefined ? 'auto' : 'enforce');
  return { ...limits, mode: mode ?? 'enforce', maxCost: maxCost ?? DEFAULT_MAX_COST, modes: { ...modes, cost } };
}

/**
 * Charges anonymous callers for all requests only when the operator has configured that, or has listed the proxies. Without the list, all
 * clients behind a proxy or a server that renders pages have one address.
 */
function resolveAnonymousBudget({ budget, server }: GatewayConfig, budgetMode: BudgetConfig['mode']): BudgetConfig['anonymous'] {
  const { mode, capacity, refillPerSecond } = budget.anonymous;
  const isConfigured =
    budget.mode !== undefined ||
    capacity !== undefined ||
    refillPerSecond !== undefined ||
    budget.key === 'address' ||
    server.trustedProxies.length > 0;
  return {
    mode: mode ?? (isConfigured && budgetMode !== 'off' ? budgetMode : 'rejections'),
    capacity: capacity ?? DEFAULT_ANONYMOUS_BUDGET.capacity,
    refillPerSecond: refillPerSecond ?? DEFAULT_ANONYMOUS_BUDGET.refillPerSecond,
  };
}

/**
 * Whether requests that did not pass a trusted proxy are rejected, because they were sent in plain text. A listener with TLS accepts
 * nothing else.
 */
function requiresTls({ profile, server: { tls, trustedProxies } }: GatewayConfig): boolean {
  return profile === 'production' && tls === undefined && trustedProxies.length > 0;
}

/**
 * Returns the default internal port: the port after the public one, the port before it if it is the last one, or a free port if the public
 * port is free.
 */
function defaultInternalPort(port: number): number {
  if (port === 0) return 0;
  return port === 65_535 ? 65_534 : port + 1;
}
