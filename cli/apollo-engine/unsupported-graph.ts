import { parse } from 'graphql';
import { argumentsOf, directivePlacesIn } from '../../gateway/supergraph/directive-places.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { readFeatures } from '../../gateway/supergraph/read-features.ts';
import type { ProductConfig } from '../configuration.ts';
import { listOf, rulesIn } from './rules-in-graph.ts';

/** Names everything in the graph that the engine `apollo` cannot do; each line says what to change. */
export function findUnsupportedInGraph(config: Pick<ProductConfig, 'engine' | 'identity'>, loaded: LoadedSupergraph): readonly string[] {
  return [
    ...unknownFeatures(loaded),
    ...progressiveOverrides(loaded),
    ...missingRules(config, loaded),
    ...missingSubscriptions(config, loaded),
  ];
}

/** Features with a purpose that the stock gateway knows; it does not load a supergraph with any other. */
const KNOWN_TO_STOCK = /^https:\/\/specs\.apollo\.dev\/(?:core|link|join|tag|inaccessible)\//;

function unknownFeatures({ sdl }: LoadedSupergraph): readonly string[] {
  return readFeatures(parse(sdl, { noLocation: true }))
    .filter(({ url, purpose }) => purpose !== undefined && !KNOWN_TO_STOCK.test(url))
    .map(
      ({ url, name, purpose }) =>
        `The stock gateway does not load a supergraph with @${name} (${url}, for: ${purpose}): compose it without, or use the engine "gatefold".`,
    );
}

/** Without a label the stock gateway takes an override as made; with one, as never made. */
function progressiveOverrides({ sdl }: LoadedSupergraph): readonly string[] {
  const fields = directivePlacesIn(parse(sdl, { noLocation: true }))
    .filter(({ node }) => typeof argumentsOf(node)['overrideLabel'] === 'string')
    .map(({ coordinate }) => coordinate);
  if (fields.length === 0) return [];
  return [
    `Labels of @override are not decided (${listOf([...new Set(fields)])}): compose the supergraph without labels, or use the engine "gatefold".`,
  ];
}

function missingRules({ engine, identity }: Pick<ProductConfig, 'engine' | 'identity'>, loaded: LoadedSupergraph): readonly string[] {
  const rules = rulesIn(loaded);
  if (rules.length === 0) return [];
  if (engine.rules === 'refuse') {
    return [
      `The rules of the supergraph are not enforced (${listOf(rules)}): set engine.rules to subgraphs where each subgraph enforces them.`,
    ];
  }
  if (identity.secret !== undefined || identity.privateKeyFile !== undefined) return [];
  return ['Subgraphs cannot enforce the rules of the supergraph without the caller: set identity.secret or identity.privateKeyFile.'];
}

function missingSubscriptions({ engine }: Pick<ProductConfig, 'engine'>, { schema }: LoadedSupergraph): readonly string[] {
  const subscription = schema.getSubscriptionType();
  if (subscription == null || engine.subscriptions === 'omit') return [];
  return [`Subscriptions are not served (${listOf(Object.keys(subscription.getFields()))}): set engine.subscriptions to omit.`];
}
