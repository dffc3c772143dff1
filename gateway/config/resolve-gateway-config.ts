import { emitWarning } from 'node:process';
import { checkSections } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { BudgetConfig } from './sections/budget.ts';
import { refuseIdentityConflicts } from './refuse-identity-conflicts.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import { describeOldName, withNewNames } from './renamed-settings.ts';
import { type GatewayConfig, type GatewayConfigInput, gatewayConfig } from './sections.ts';
import { compileSettings } from './settings.ts';

/** Configuration in which all defaults are resolved, including those that depend on the profile or on another key. */
export interface ResolvedGatewayConfig extends GatewayConfig {
  readonly server: GatewayConfig['server'] & { readonly internalPort: number; readonly requireTls: boolean };
  readonly graphql: GatewayConfig['graphql'] & { readonly introspection: boolean; readonly graphiql: boolean };
  readonly budget: BudgetConfig;
}

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

/** Resolves all defaults that depend on the profile or on another key. No other code resolves such defaults. */
export function resolveDefaults<Config extends GatewayConfig>(config: Config): Config & ResolvedGatewayConfig {
  const isDev = config.profile === 'dev';
  const budgetMode = config.budget.mode ?? (isDev ? 'measure' : 'enforce');
  return {
    ...config,
    server: {
      ...config.server,
      internalPort: config.server.internalPort ?? defaultInternalPort(config.server.port),
      requireTls: config.server.requireTls ?? requiresTls(config),
    },
    subgraphs: { ...config.subgraphs, errorMessages: config.subgraphs.errorMessages ?? (isDev ? 'all' : 'listed') },
    graphql: {
      ...config.graphql,
      introspection: config.graphql.introspection ?? isDev,
      graphiql: config.graphql.graphiql ?? isDev,
    },
    budget: { ...config.budget, mode: budgetMode, headers: config.budget.headers ?? budgetMode === 'enforce' },
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
