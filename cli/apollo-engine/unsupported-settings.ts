import { resolveGatewayConfig, type ResolvedGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { namedSources } from '../../gateway/config/sections/supergraph.ts';
import { modeOf } from '../../gateway/operation/limit-mode.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { EngineConfig } from './engine-section.ts';

/** Settings that the engine `apollo` follows. A pattern ends with `*` where all settings below it are followed. */
const SUPPORTED: readonly string[] = [
  'profile',
  'server.host',
  'server.port',
  'server.internalHost',
  'server.internalPort',
  'server.trustedProxies',
  'server.requireTls',
  'server.maxBodyBytes',
  'server.maxUrlBytes',
  'server.compression.*',
  'server.headersTimeoutMs',
  'server.requestTimeoutMs',
  'server.keepAliveTimeoutMs',
  'server.drainTimeoutMs',
  'supergraph.*', // sources are checked apart
  'subgraphs.requestTimeoutMs',
  'subgraphs.maxResponseBytes',
  'subgraphs.headers.*',
  'graphql.introspection',
  'graphql.graphiql',
  'graphql.maxTokens',
  'graphql.maxErrors',
  'limits.*',
  'persisted.automatic',
  'budget.mode', // checked apart
  'budget.headers',
  'auth.*',
  'identity.secret',
  'identity.privateKeyFile',
  'identity.serviceSecret',
  'logging.*',
];

/** Settings of one subgraph that it follows. */
const SUPPORTED_OVERRIDE = /^subgraphs\.override\.[^.]+\.(?:url|requestTimeoutMs|maxResponseBytes|headers(?:\..+)?)$/;

/** Names everything that is configured, or in the graph, and that the engine `apollo` cannot do; each line says which setting to change. */
export function findUnsupported(config: ResolvedGatewayConfig, engine: EngineConfig, loaded: LoadedSupergraph): readonly string[] {
  return [...changedSettings(config), ...missingProtections(config), ...missingSource(config), ...missingInGraph(config, engine, loaded)];
}

function changedSettings(config: ResolvedGatewayConfig): readonly string[] {
  const defaults = new Map(leavesOf(resolveGatewayConfig({ profile: config.profile })));
  return leavesOf(config)
    .filter(([path, value]) => value !== undefined && !isSupported(path) && JSON.stringify(value) !== JSON.stringify(defaults.get(path)))
    .map(([path]) => `${path} is not supported: remove the setting.`);
}

function isSupported(path: string): boolean {
  if (SUPPORTED_OVERRIDE.test(path)) return true;
  return SUPPORTED.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
}

function missingProtections(config: ResolvedGatewayConfig): readonly string[] {
  return [
    ...(config.budget.mode === 'enforce' ? ['Budgets of callers are not enforced: set budget.mode to off or measure.'] : []),
    ...(modeOf(config.limits, 'cost') === 'enforce' ? ['The cost of operations is not limited: set limits.modes.cost to measure.'] : []),
    ...(modeOf(config.limits, 'pageSize') === 'enforce' ? ['Page sizes are not limited: set limits.modes.pageSize to measure.'] : []),
  ];
}

function missingSource({ supergraph }: ResolvedGatewayConfig): readonly string[] {
  if (supergraph.file !== undefined || supergraph.sdl !== undefined) return [];
  return namedSources(supergraph).map(
    (name) => `supergraph.${name} is not supported: write the supergraph with \`gatefold compose\` and set supergraph.file.`,
  );
}

function missingInGraph({ identity }: ResolvedGatewayConfig, engine: EngineConfig, loaded: LoadedSupergraph): readonly string[] {
  const problems: string[] = [];
  const coordinates = [...loaded.authorisation.keys()];
  const signs = identity.secret !== undefined || identity.privateKeyFile !== undefined;
  if (coordinates.length > 0 && engine.rules === 'refuse') {
    problems.push(
      `The rules of the supergraph are not enforced (${listOf(coordinates)}): set engine.rules to subgraphs where each subgraph enforces them.`,
    );
  }
  if (coordinates.length > 0 && engine.rules === 'subgraphs' && !signs) {
    problems.push(
      'Subgraphs cannot enforce the rules of the supergraph without the caller: set identity.secret or identity.privateKeyFile.',
    );
  }
  const subscription = loaded.schema.getSubscriptionType();
  if (subscription != null && engine.subscriptions === 'refuse') {
    problems.push(`Subscriptions are not served (${listOf(Object.keys(subscription.getFields()))}): set engine.subscriptions to omit.`);
  }
  return problems;
}

const MOST_NAMES = 5;

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** Every value that is no object, and every list, by its path. */
function leavesOf(value: object, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, below]: [string, unknown]) => {
    const path = `${prefix}${key}`;
    const isSection = typeof below === 'object' && below !== null && !Array.isArray(below);
    return isSection ? leavesOf(below, `${path}.`) : [[path, below] as const];
  });
}
