import { resolveGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { namedSources } from '../../gateway/config/sections/supergraph.ts';
import { costModeFor, modeOf } from '../../gateway/operation/limits/limit-mode.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { ProductConfig } from '../configuration.ts';
import { supportOf } from './setting-support.ts';
import { findUnsupportedInGraph } from './unsupported-graph.ts';

/** Lists every setting and feature of the graph that the engine `apollo` does not support. Each line names the setting to change. */
export function findUnsupported(config: ProductConfig, loaded: LoadedSupergraph): readonly string[] {
  return [
    ...changedSettings(config),
    ...missingProtections(config, loaded),
    ...missingSource(config),
    ...findUnsupportedInGraph(config, loaded),
  ];
}

/** A setting with its value, and the path of its entry in `SETTING_SUPPORT`. */
interface Leaf {
  readonly path: string;
  readonly kind: string;
  readonly value: unknown;
}

function changedSettings(config: ProductConfig): readonly string[] {
  const { rest, engine, ...gateway } = config;
  const defaults = new Map(
    leavesOf(resolveGatewayConfig({ profile: config.profile })).map(({ path, value }) => [path, JSON.stringify(value)]),
  );
  const isDefault = ({ path, value }: Leaf): boolean => value === undefined || JSON.stringify(value) === defaults.get(path);
  return leavesOf({ ...gateway, ...(rest === undefined ? {} : { rest }) }).flatMap((leaf) => {
    if (isDefault(leaf)) return [];
    const support = supportOf(leaf.kind);
    if (support.kind === 'of-subscriptions' && engine.subscriptions === 'refuse') {
      return [
        `${leaf.path} is not supported, because subscriptions and webhooks are not served. Remove the setting, or set engine.subscriptions to omit.`,
      ];
    }
    if (support.kind !== 'absent' || support.off.includes(leaf.value)) return [];
    return [`${leaf.path} is not supported, because ${support.because}. Remove the setting.`];
  });
}

function missingProtections({ profile, budget, limits }: ProductConfig, { costRules }: LoadedSupergraph): readonly string[] {
  return [
    // In the dev profile, `measure` is the default, which has no effect, like other defaults.
    ...(budget.mode === 'measure' && profile !== 'dev' ? ['Budgets of callers are not measured. Set budget.mode to off.'] : []),
    ...(budget.mode === 'enforce' ? ['Budgets of callers are not enforced. Set budget.mode to off.'] : []),
    ...(costModeFor(costRules, limits) === 'enforce' ? ['The cost of operations is not limited. Set limits.modes.cost to measure.'] : []),
    ...(modeOf(limits, 'pageSize') === 'enforce' ? ['Page sizes are not limited. Set limits.modes.pageSize to measure.'] : []),
  ];
}

function missingSource({ supergraph }: ProductConfig): readonly string[] {
  if (supergraph.file !== undefined || supergraph.sdl !== undefined) return [];
  return namedSources(supergraph).map(
    (name) => `supergraph.${name} is not supported. Write the supergraph with \`gatefold compose\` and set supergraph.file.`,
  );
}

/** Returns every scalar and list value. The settings of a single subgraph have the same kind as the settings for all subgraphs. */
function leavesOf(value: object, prefix = '', kindPrefix = prefix): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, below]: [string, unknown]) => {
    const [path, kind] = [`${prefix}${key}`, `${kindPrefix}${key}`];
    if (typeof below !== 'object' || below === null || Array.isArray(below)) return [{ path, kind, value: below }];
    if (path !== 'subgraphs.override') return leavesOf(below, `${path}.`, `${kind}.`);
    return Object.entries(below).flatMap(([name, own]: [string, object]) => leavesOf(own, `${path}.${name}.`, 'subgraphs.'));
  });
}
