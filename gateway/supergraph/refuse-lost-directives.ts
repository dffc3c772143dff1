import { type ASTNode, type DirectiveDefinitionNode, type DocumentNode, Kind, specifiedDirectives } from 'graphql';
import { lineOf } from './line-of.ts';
import { type DirectiveLocation, directiveLocationsIn, directiveNamesIn } from '../directives/directive-locations.ts';
import { GATEWAY_DIRECTIVES, type GatewayDirective } from './gateway-directives.ts';
import { directiveNameIn, type LinkedFeature } from '../directives/read-features.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';

/** Directives of the gateway that restrict no access. Authorization rules are checked where they are read. */
const OTHERS: readonly GatewayDirective[] = [...GATEWAY_DIRECTIVES.values()].filter(({ isGuard }) => !isGuard);

/** Arguments of the directives that restrict access. A directive with one of them may be a rule under another name. */
const GUARD_ARGUMENTS: ReadonlySet<string> = new Set(['policies', 'requires', 'scopes']);

/** Arguments of `@cost`, `@listSize` and `@cacheControl`. A directive with no others may be one of them under another name. */
const LIMIT_ARGUMENTS: readonly ReadonlySet<string>[] = [
  new Set(['weight']),
  new Set(['assumedSize', 'requireOneSlicingArgument', 'sizedFields', 'slicingArguments']),
  new Set(['inheritMaxAge', 'maxAge', 'scope']),
];

/** Locations of `@authenticated`, which has no arguments. A directive without arguments at these locations may be the same rule. */
const LOCATIONS_OF_AUTHENTICATED = 'ENUM FIELD_DEFINITION INTERFACE OBJECT SCALAR';

/** Directives of GraphQL. */
const OF_GRAPHQL: ReadonlySet<string> = new Set(specifiedDirectives.map(({ name }) => name));

/**
 * Rejects a supergraph in which directives were lost: they are applied without a linked feature, so they would be ignored, or they are
 * defined and never applied. In the second case, a subgraph may use them without composing them. Composition links the feature of every
 * directive that it copies, so a directive without a link that is defined like one of the gateway may be that one under another name.
 *
 * @throws SupergraphInvalid that names the directive with its line and the remedy
 */
export function refuseLostDirectives(document: DocumentNode, features: readonly LinkedFeature[]): void {
  const applied = directiveNamesIn(document);
  const linked = new Set(features.flatMap(({ namespace, imports }) => [`@${namespace}`, ...imports.values()]));
  const defined = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const isUnlinked = (directive: GatewayDirective): boolean =>
    namesIn(directive, features).length === 0 && !linked.has(`@${directive.name}`);
  for (const directive of OTHERS.filter((one) => applied.has(one.name) && isUnlinked(one))) {
    const [use] = directiveLocationsIn(document, (name) => name === directive.name);
    if (use !== undefined) throw notLinked(use, directive);
  }
  const isUnknown = (name: string): boolean =>
    !OF_GRAPHQL.has(name) && !belongsTo(name, features) && isLikeGatewayDirective(defined.get(name));
  const [unknown] = [...applied].some(isUnknown) ? directiveLocationsIn(document, isUnknown) : [];
  if (unknown !== undefined) throw ofNoFeature(unknown);
  for (const directive of OTHERS) {
    const names = isUnlinked(directive) ? [directive.name] : namesIn(directive, features);
    const definition = names.map((name) => defined.get(name)).find((one) => one !== undefined);
    if (definition === undefined) continue;
    // Composition defines all directives of a feature when a subgraph uses one of them.
    const siblings = OTHERS.filter(({ feature }) => feature === directive.feature);
    const isApplied = siblings.some((one) => namesIn(one, features).some((name) => applied.has(name)));
    if (!isApplied) throw appliedNowhere(siblings, directive, definition);
  }
}

/** Whether a directive is defined like one of the gateway. Without a definition, nothing shows that it is not one. */
function isLikeGatewayDirective(definition: DirectiveDefinitionNode | undefined): boolean {
  if (definition === undefined) return true;
  const { arguments: parameters = [], locations } = definition;
  if (parameters.some(({ name }) => GUARD_ARGUMENTS.has(name.value))) return true;
  if (parameters.length > 0) return LIMIT_ARGUMENTS.some((known) => parameters.every(({ name }) => known.has(name.value)));
  const names = locations.map(({ value }) => value).toSorted();
  return names.join(' ') === LOCATIONS_OF_AUTHENTICATED;
}

/** Whether a directive belongs to a linked feature: by its import, or by the namespace of the feature. */
function belongsTo(name: string, features: readonly LinkedFeature[]): boolean {
  return features.some(
    ({ namespace, imports }) =>
      name === namespace || name.startsWith(`${namespace}__`) || [...imports.values()].some((imported) => imported === `@${name}`),
  );
}

/** Returns the names of a directive in the supergraph. Empty if its feature is not linked. */
function namesIn({ name, feature: identity }: GatewayDirective, features: readonly LinkedFeature[]): readonly string[] {
  return features.filter((feature) => feature.identity === identity).map((feature) => directiveNameIn(feature, name));
}

function ofNoFeature({ coordinate, node }: DirectiveLocation): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${node.name.value}${lineOf(node)}, but the schema links no feature with a directive ` +
      'of that name, and it is defined like a directive of the gateway, which would be ignored. Link the feature that it belongs to, or remove it.',
  );
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

/** @param siblings directives of the feature, which composition defines together */
function appliedNowhere(siblings: readonly GatewayDirective[], { withoutIt }: GatewayDirective, definition: ASTNode): SupergraphInvalid {
  const names = siblings.map(({ name }) => `@${name}`).join(' and ');
  return new SupergraphInvalid(
    `The supergraph cannot be served: it defines ${names} but never applies it${lineOf(definition)}. If a subgraph uses ${names}, the uses ` +
      `were lost when the subgraphs were composed, and ${withoutIt}. Compose them with "gatefold compose", which reports each use. If no ` +
      `subgraph uses ${names}, remove the definition, the import and @composeDirective from the subgraphs.`,
  );
}
