import { type ASTNode, type DocumentNode, Kind } from 'graphql';
import { type DirectiveLocation, directiveLocationsIn } from './directive-locations.ts';
import { GATEWAY_DIRECTIVES, type GatewayDirective } from './gateway-directives.ts';
import { directiveNameIn, type LinkedFeature } from './read-features.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';

/** Directives of the gateway that restrict no access. Authorization rules are checked where they are read. */
const OTHERS: readonly GatewayDirective[] = [...GATEWAY_DIRECTIVES.values()].filter(({ isGuard }) => !isGuard);

/**
 * Rejects a supergraph in which directives for costs, caching and creators were lost: they are applied without a linked feature, so they
 * would be ignored, or they are defined and never applied. In the second case, a subgraph may use them without composing them.
 *
 * @throws SupergraphInvalid that names the directive with its line and the remedy
 */
export function refuseLostDirectives(document: DocumentNode, features: readonly LinkedFeature[]): void {
  const locations = directiveLocationsIn(document);
  const applied = new Set(locations.map(({ node }) => node.name.value));
  const linked = new Set(features.flatMap(({ namespace, imports }) => [`@${namespace}`, ...imports.values()]));
  const defined = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  for (const directive of OTHERS) {
    const names = namesIn(directive, features);
    if (names.length > 0) {
      const [name = ''] = names;
      const definition = defined.get(name);
      // Composition defines all directives of a feature when a subgraph uses one of them.
      const isApplied = OTHERS.some((one) => one.feature === directive.feature && namesIn(one, features).some((own) => applied.has(own)));
      if (definition !== undefined && !isApplied) throw appliedNowhere(name, directive, definition);
    } else if (!linked.has(`@${directive.name}`)) {
      const use = locations.find(({ node }) => node.name.value === directive.name);
      if (use !== undefined) throw notLinked(use, directive);
      const definition = defined.get(directive.name);
      if (definition !== undefined) throw appliedNowhere(directive.name, directive, definition);
    }
  }
}

/** Returns the names of a directive in the supergraph. Empty if its feature is not linked. */
function namesIn({ name, feature: identity }: GatewayDirective, features: readonly LinkedFeature[]): readonly string[] {
  return features.filter((feature) => feature.identity === identity).map((feature) => directiveNameIn(feature, name));
}

function notLinked({ coordinate, node }: DirectiveLocation, { name, carrier, withoutIt }: GatewayDirective): SupergraphInvalid {
  const remedy =
    carrier.by === 'composeDirective'
      ? `Add @link(url: "${carrier.link}", import: ["@${name}"]) to its schema`
      : `Compose the supergraph from subgraphs that import "@${name}" from the federation specification`;
  return new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${name}${lineOf(node)}, but the schema links no feature with a directive of that ` +
      `name, so it would be ignored, and ${withoutIt}. ${remedy}, or link the feature that the directive belongs to.`,
  );
}

function appliedNowhere(name: string, { withoutIt }: GatewayDirective, definition: ASTNode): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: it defines @${name} but never applies it${lineOf(definition)}. If a subgraph uses @${name}, its uses ` +
      `were lost when the subgraphs were composed, and ${withoutIt}. Compose them with "gatefold compose", which reports each use. If no ` +
      `subgraph uses @${name}, remove its definition, its import and its @composeDirective from the subgraphs.`,
  );
}

function lineOf({ loc }: ASTNode): string {
  return loc === undefined ? '' : ` (line ${loc.startToken.line})`;
}
