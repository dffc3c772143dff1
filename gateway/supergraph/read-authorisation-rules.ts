import { type DocumentNode, Kind } from 'graphql';
import { argumentsOf, directivePlacesIn } from './directive-places.ts';
import { SupergraphInvalid } from './errors.ts';
import { directiveNameIn, type LinkedFeature } from './read-features.ts';

/** Coordinates that a message names; the rest is counted. */
const SHOWN = 5;

/**
 * Keeps a supergraph from being served that asks its gateway to guard it, where nobody tells the gateway who its callers are: to
 * all of them everything that `@authenticated`, `@requiresScopes` and `@policy` guard would be denied. `@auth` is not among them:
 * other gateways do not know it either, and leave it to the subgraphs.
 *
 * @param instead what to do about it
 * @throws SupergraphInvalid that names the rules
 */
export function refuseRulesWithoutCallers(rules: AuthorisationRules, instead: string): void {
  const guarded = [...rules].filter(([, all]) => all.some(({ directive }) => directive !== 'auth'));
  if (guarded.length === 0) return;
  const directives = new Set(guarded.flatMap(([, all]) => all.map(({ directive }) => `@${directive}`)));
  directives.delete('@auth');
  const coordinates = guarded.map(([coordinate]) => coordinate);
  const more = coordinates.length > SHOWN ? ` and ${coordinates.length - SHOWN} more` : '';
  throw new SupergraphInvalid(
    `The supergraph cannot be served: it guards ${coordinates.slice(0, SHOWN).join(', ')}${more} with ${[...directives].join(', ')}, ` +
      `and nobody tells who the callers are. ${instead}`,
  );
}

/** Directives that say who may see what, under the names of their specifications. */
export type AuthorisationDirective = 'authenticated' | 'requiresScopes' | 'policy' | 'auth';

/** One directive in one place. */
export interface AuthorisationRule {
  readonly directive: AuthorisationDirective;
  /** As they were written; those with a default may be missing. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Every authorisation directive of a supergraph by schema coordinate: `Account`, `Account.email`. In the order in which
 * the supergraph writes them.
 */
export type AuthorisationRules = ReadonlyMap<string, readonly AuthorisationRule[]>;

const SOURCES: ReadonlyMap<string, AuthorisationDirective> = new Map([
  ['https://specs.apollo.dev/authenticated', 'authenticated'],
  ['https://specs.apollo.dev/requiresScopes', 'requiresScopes'],
  ['https://specs.apollo.dev/policy', 'policy'],
  ['https://gatefold.dev/auth', 'auth'],
]);

/**
 * Reads the rules; names that were changed on import are understood by the address of the feature.
 *
 * @throws SupergraphInvalid when a directive has the name of a rule and no feature that is linked has it, when a rule stands where
 *   nothing enforces it, and when a directive for rules is defined and applied nowhere: then a subgraph may have rules that were
 *   not composed
 */
export function readAuthorisationRules(document: DocumentNode, features: readonly LinkedFeature[]): AuthorisationRules {
  const names = new Map<string, AuthorisationDirective>();
  for (const feature of features) {
    const directive = SOURCES.get(feature.identity);
    if (directive !== undefined) names.set(directiveNameIn(feature, directive), directive);
  }
  const linked = new Set(features.flatMap(({ namespace, imports }) => [`@${namespace}`, ...imports.values()]));
  const rules = new Map<string, AuthorisationRule[]>();
  const applied = new Set<string>();
  for (const { coordinate, node, isGuardable } of directivePlacesIn(document)) {
    const name = node.name.value;
    const directive = names.get(name);
    applied.add(name);
    if (directive === undefined) refuseUnlinked(name, coordinate, linked);
    else if (!isGuardable) throw notEnforced(name, coordinate);
    else rules.set(coordinate, [...(rules.get(coordinate) ?? []), { directive, arguments: argumentsOf(node) }]);
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.DIRECTIVE_DEFINITION) continue;
    const name = definition.name.value;
    const isForRules = names.has(name) || (RULE_NAMES.has(name) && !linked.has(`@${name}`));
    if (isForRules && !applied.has(name)) throw appliedNowhere(name);
  }
  return rules;
}

const RULE_NAMES: ReadonlySet<string> = new Set(SOURCES.values());

function refuseUnlinked(name: string, coordinate: string, linked: ReadonlySet<string>): void {
  if (!RULE_NAMES.has(name) || linked.has(`@${name}`)) return;
  throw new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${name}, and no feature that the schema links has a directive of that name: ` +
      'whether it guards something cannot be told. Link the feature that it belongs to.',
  );
}

function notEnforced(name: string, coordinate: string): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${name}, and rules are enforced on objects, interfaces, scalars and enums and on ` +
      'the fields of objects and interfaces only. Write the rule there.',
  );
}

function appliedNowhere(name: string): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: it defines @${name} and applies it nowhere. If a subgraph uses @${name}, its rules were lost when ` +
      `the subgraphs were composed: compose them with "gatefold compose", which names each rule. If no subgraph uses @${name}, remove ` +
      'its definition and its @composeDirective from the subgraphs.',
  );
}
