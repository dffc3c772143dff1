import { type ASTNode, type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql';
import { lineOf } from './line-of.ts';
import { argumentsOf, directiveLocationsIn, directiveNamesIn } from '../directives/directive-locations.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { directiveNameIn, type LinkedFeature } from '../directives/read-features.ts';

/** Maximum number of coordinates in a message; further ones are counted. */
const SHOWN = 5;

/**
 * Rejects a supergraph with authorization rules when the gateway has no authentication. All callers would be denied the fields that
 * `@authenticated`, `@requiresScopes` and `@policy` guard. `@auth` is excluded: other gateways do not support it either and leave it to the
 * subgraphs.
 *
 * @param instead sentence with the fix
 * @throws SupergraphInvalid that names the rules
 */
export function refuseRulesWithoutCallers(rules: AuthorizationRules, instead: string): void {
  const guarded = [...rules].filter(([, all]) => all.some(({ directive }) => directive !== 'auth'));
  if (guarded.length === 0) return;
  const directives = new Set(guarded.flatMap(([, all]) => all.map(({ directive }) => `@${directive}`)));
  directives.delete('@auth');
  const coordinates = guarded.map(([coordinate]) => coordinate);
  const more = coordinates.length > SHOWN ? ` and ${coordinates.length - SHOWN} more` : '';
  throw new SupergraphInvalid(
    `The supergraph cannot be served: it guards ${coordinates.slice(0, SHOWN).join(', ')}${more} with ${[...directives].join(', ')}, ` +
      `but the gateway has no authentication to identify callers. ${instead}`,
  );
}

/** Authorization directives, with the names in their specifications. */
export type AuthorizationDirective = 'authenticated' | 'requiresScopes' | 'policy' | 'auth';

/** A directive at one location. */
export interface AuthorizationRule {
  readonly directive: AuthorizationDirective;
  /** Arguments as written. Those with a default may be absent. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * All authorization directives of a supergraph by schema coordinate: `Account`, `Account.email`. In the order in which the supergraph
 * writes them.
 */
export type AuthorizationRules = ReadonlyMap<string, readonly AuthorizationRule[]>;

const SOURCES: ReadonlyMap<string, AuthorizationDirective> = new Map([
  ['https://specs.apollo.dev/authenticated', 'authenticated'],
  ['https://specs.apollo.dev/requiresScopes', 'requiresScopes'],
  ['https://specs.apollo.dev/policy', 'policy'],
  ['https://gatefold.dev/auth', 'auth'],
]);

/**
 * Reads the rules. Names that were changed on import are resolved by the address of the feature.
 *
 * @throws SupergraphInvalid when a directive has the name of a rule but belongs to no linked feature, or when a rule is at a location where
 * it is not enforced. Also when a directive for rules is defined but never applied, because a subgraph may then have rules that were not
 * composed.
 */
export function readAuthorizationRules(document: DocumentNode, features: readonly LinkedFeature[]): AuthorizationRules {
  const names = new Map<string, AuthorizationDirective>();
  for (const feature of features) {
    const directive = SOURCES.get(feature.identity);
    if (directive !== undefined) names.set(directiveNameIn(feature, directive), directive);
  }
  const linked = new Set(features.flatMap(({ namespace, imports }) => [`@${namespace}`, ...imports.values()]));
  const rules = new Map<string, AuthorizationRule[]>();
  const applied = directiveNamesIn(document);
  const isRule = (name: string): boolean => names.has(name) || RULE_NAMES.has(name);
  for (const { coordinate, node, isGuardable } of directiveLocationsIn(document, isRule)) {
    const directive = names.get(node.name.value);
    if (directive === undefined) refuseUnlinked(node, coordinate, linked);
    else if (!isGuardable) throw notEnforced(node, coordinate);
    else rules.set(coordinate, [...(rules.get(coordinate) ?? []), { directive, arguments: argumentsOf(node) }]);
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.DIRECTIVE_DEFINITION) continue;
    const name = definition.name.value;
    const isForRules = names.has(name) || (RULE_NAMES.has(name) && !linked.has(`@${name}`));
    if (isForRules && !applied.has(name)) throw appliedNowhere(name, definition);
  }
  return rules;
}

const RULE_NAMES: ReadonlySet<string> = new Set(SOURCES.values());

function refuseUnlinked(node: ConstDirectiveNode, coordinate: string, linked: ReadonlySet<string>): void {
  const name = node.name.value;
  if (!RULE_NAMES.has(name) || linked.has(`@${name}`)) return;
  throw new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${name}${lineOf(node)}, but the schema links no feature with a directive of that name, ` +
      'so the gateway cannot determine whether it is a rule. Link the feature that it belongs to.',
  );
}

function notEnforced(node: ConstDirectiveNode, coordinate: string): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${node.name.value}${lineOf(node)}, but rules are only enforced on objects, interfaces, ` +
      'scalars, enums, and fields of objects and interfaces. Move the rule there.',
  );
}

function appliedNowhere(name: string, definition: ASTNode): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: it defines @${name} but never applies it${lineOf(definition)}. If a subgraph uses @${name}, its rules were lost when ` +
      `the subgraphs were composed. Compose them with "gatefold compose", which reports each rule. If no subgraph uses @${name}, remove ` +
      'its definition and its @composeDirective from the subgraphs.',
  );
}
