import { parse } from 'graphql';
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

function missingSubscriptions({ engine }: Pick<ProductConfig, 'engine'>, { schema }: LoadedSupergraph): readonly string[] {
  const subscription = schema.getSubscriptionType();
  if (subscription == null || engine.subscriptions === 'omit') return [];
  return [
    `Subscriptions are not served (${listOf(Object.keys(subscription.getFields()))}). To start without them, set engine.subscriptions to omit.`,
  ];
}
