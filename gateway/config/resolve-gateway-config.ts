import { checkSections } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { BudgetConfig } from './sections/budget.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import { type GatewayConfig, type GatewayConfigInput, gatewayConfig } from './sections.ts';
import { compileSettings } from './settings.ts';

/** A configuration in which nothing is left to a profile or to another key. */
export interface ResolvedGatewayConfig extends GatewayConfig {
  readonly server: GatewayConfig['server'] & { readonly internalPort: number; readonly requireTls: boolean };
  readonly graphql: GatewayConfig['graphql'] & { readonly introspection: boolean; readonly graphiql: boolean };
  readonly budget: BudgetConfig;
}

/**
 * Checks, defaults and resolves what an embedding application wrote.
 *
 * @throws ConfigurationInvalid with every mistake, and with what the production profile refuses
 */
export function resolveGatewayConfig(input: GatewayConfigInput): ResolvedGatewayConfig {
  const checked = checkSections(gatewayConfig, compileSettings(gatewayConfig), input, nowhere);
  if ('problems' in checked) throw new ConfigurationInvalid(checked.problems);
  const problems = refuseUnsafe(checked.config, nowhere);
  if (problems.length > 0) throw new ConfigurationInvalid(problems);
  return resolveDefaults(checked.config);
}

/** Values that are handed over in code have no place in a file. */
function nowhere(): undefined {}

/** Defaults that depend on the profile or on another key: the one place that knows them. */
export function resolveDefaults<Config extends GatewayConfig>(config: Config): Config & ResolvedGatewayConfig {
  const isDev = config.profile === 'dev';
  const budgetMode = config.budget.mode ?? (isDev ? 'measure' : 'enforce');
  return {
    ...config,
    server: {
      ...config.server,
      internalPort: config.server.internalPort ?? internalPortBeside(config.server.port),
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

/** What comes by another way than the proxies that were named came in the clear. A listener that speaks TLS understands nothing else. */
function requiresTls({ profile, server: { tls, trustedProxies } }: GatewayConfig): boolean {
  return profile === 'production' && tls === undefined && trustedProxies.length > 0;
}

/** The next port; a free one beside a free one, and below the last one. */
function internalPortBeside(port: number): number {
  if (port === 0) return 0;
  return port === 65_535 ? 65_534 : port + 1;
}
