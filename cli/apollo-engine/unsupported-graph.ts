import { Kind, parse, type SelectionSetNode } from 'graphql';
import { argumentsOf, directiveLocationsIn } from '../../gateway/directives/directive-locations.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { readFeatures } from '../../gateway/directives/read-features.ts';
import type { ProductConfig } from '../configuration.ts';
import { listOf, rulesIn } from './rules-in-graph.ts';

/** Lists every feature of the graph that the engine `apollo` does not support. Each line says what to change. */
export function findUnsupportedInGraph(config: Pick<ProductConfig, 'engine' | 'identity'>, loaded: LoadedSupergraph): readonly string[] {
  return [
    ...unknownFeatures(loaded),
    ...progressiveOverrides(loaded),
    ...missingRules(config, loaded),
    ...rulesBehindConnectors(config, loaded),
    ...missingSubscriptions(config, loaded),
  ];
}

/** Features with a purpose that the stock gateway supports. It does not load a supergraph with any other. */
const SUPPORTED_BY_STOCK = /^https:\/\/specs\.apollo\.dev\/(?:core|link|join|tag|inaccessible)\//;

function unknownFeatures({ sdl }: LoadedSupergraph): readonly string[] {
  return readFeatures(parse(sdl, { noLocation: true }))
    .filter(({ url, purpose }) => purpose !== undefined && !SUPPORTED_BY_STOCK.test(url))
    .map(
      ({ url, name, purpose }) =>
        `The stock gateway does not load a supergraph with @${name} (${url}, for: ${purpose}). Compose the supergraph without it, or use the engine "gatefold".`,
    );
}

/** Reports overrides with a label. The stock gateway applies an override without a label, and never applies one with a label. */
function progressiveOverrides({ sdl }: LoadedSupergraph): readonly string[] {
  const fields = directiveLocationsIn(parse(sdl, { noLocation: true }))
    .filter(({ node }) => typeof argumentsOf(node)['overrideLabel'] === 'string')
    .map(({ coordinate }) => coordinate);
  if (fields.length === 0) return [];
  return [
    `Labels of @override are not evaluated (${listOf([...new Set(fields)])}). Compose the supergraph without labels, or use the engine "gatefold".`,
  ];
}

function missingRules({ engine, identity }: Pick<ProductConfig, 'engine' | 'identity'>, loaded: LoadedSupergraph): readonly string[] {
  const rules = rulesIn(loaded);
  if (rules.length === 0) return [];
  if (engine.rules === 'refuse') {
    return [
      `The rules of the supergraph are not enforced (${listOf(rules)}). If each subgraph enforces them, set engine.rules to subgraphs.`,
    ];
  }
  if (identity.secret !== undefined || identity.privateKeyFile !== undefined) return [];
  return [
    'Subgraphs need the identity of the caller to enforce the rules of the supergraph. Set identity.secret or identity.privateKeyFile.',
  ];
}

/**
 * Reports rules that would not be enforced: the services behind connectors do not know the caller. The executor of connectors enforces the
 * rules of fields of entities, if the representations contain the owner.
 */
function rulesBehindConnectors({ engine }: Pick<ProductConfig, 'engine'>, loaded: LoadedSupergraph): readonly string[] {
  const { connectors, graph, authorization } = loaded;
  if (connectors === undefined || engine.rules === 'refuse') return [];
  const open: string[] = [];
  for (const type of graph.types.values()) {
    for (const field of type.fields.values()) {
      for (const [subgraph, { isExternal, requires }] of field.subgraphs) {
        const virtual = connectors.get(subgraph);
        const rules = [...(authorization.get(type.name) ?? []), ...(authorization.get(`${type.name}.${field.name}`) ?? [])];
        if (virtual === undefined || isExternal || rules.length === 0) continue;
        const known = new Set<unknown>([...virtual.keys, ...(requires === undefined ? [] : [requires])].flatMap(fieldNamesIn));
        const isEntered = virtual.entry === 'entities' && virtual.connector.type === type.name;
        const isEnforced = isEntered && rules.every(({ arguments: { orOwner = null } }) => orOwner === null || known.has(orOwner));
        if (!isEnforced && !known.has(field.name)) open.push(`${type.name}.${field.name}`);
      }
    }
  }
  if (open.length === 0) return [];
  return [
    `Rules of fields that connectors resolve are not enforced (${listOf([...new Set(open)])}). Resolve these fields by a connector on their own type with @requires of the owner, or use the engine "gatefold".`,
  ];
}

function fieldNamesIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((node) => (node.kind === Kind.FIELD ? [node.name.value] : []));
}

function missingSubscriptions({ engine }: Pick<ProductConfig, 'engine'>, { schema }: LoadedSupergraph): readonly string[] {
  const subscription = schema.getSubscriptionType();
  if (subscription == null || engine.subscriptions === 'omit') return [];
  return [
    `Subscriptions are not served (${listOf(Object.keys(subscription.getFields()))}). To start without them, set engine.subscriptions to omit.`,
  ];
}
