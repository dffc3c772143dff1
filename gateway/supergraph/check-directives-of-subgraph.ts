import { type DocumentNode, Kind } from 'graphql';
import { findMisspellings } from './check-spelling.ts';
import { type CompositionProblem, toFileLocation } from './composition-problem.ts';
import { argumentsOf, type DirectiveLocation, directiveLocationsIn } from './directive-locations.ts';
import { FEDERATION, FEDERATION_LINK, GATEWAY_DIRECTIVES, type GatewayDirective } from './gateway-directives.ts';
import type { AuthorizationRules } from './read-authorization-rules.ts';
import { directiveNameIn, type LinkedFeature, readFeatures } from './read-features.ts';

/** Directives of the gateway in one subgraph. */
export interface DirectivesOfSubgraph {
  /** Uses that composition silently drops, and rules at locations where they are not enforced. */
  readonly problems: readonly CompositionProblem[];
  /** Authorization rules that the supergraph must contain. */
  readonly rules: readonly RuleOfSubgraph[];
}

interface RuleOfSubgraph {
  readonly subgraph: string;
  readonly location: DirectiveLocation;
  readonly directive: GatewayDirective;
}

/** Directive that subgraphs can use without linking it (federation specification 2, "@link"). */
const IMPLICIT_LINK = 'link';

/**
 * Finds directives of the gateway that would be missing in the supergraph. Composition ignores directives that a subgraph defines and does
 * not compose, so a field with such a rule would be unprotected.
 *
 * @param document all files of the subgraph, with locations
 */
export function checkDirectivesOfSubgraph(subgraph: string, document: DocumentNode): DirectivesOfSubgraph {
  const features = readFeatures(document, IMPLICIT_LINK);
  const links = readLinks(document, features);
  const roots = rootNames(document);
  const problems: CompositionProblem[] = findMisspellings(document, features).map(({ coordinate, node, explanation }) =>
    problem({ subgraph, location: { coordinate, node } }, explanation),
  );
  const rules: RuleOfSubgraph[] = [];
  for (const location of directiveLocationsIn(document)) {
    const name = location.node.name.value;
    const directive = links.meaningOf(name);
    if (directive === undefined) continue;
    const line = links.missingLineFor(directive, name);
    if (line !== undefined) problems.push(notComposed({ subgraph, location, directive }, line));
    else if (!directive.isGuard) continue;
    else if (location.isGuardable) rules.push({ subgraph, location: withSupergraphName(location, roots), directive });
    else problems.push(notEnforced(subgraph, location));
  }
  return { problems, rules };
}

/** Returns the rules of subgraphs that are missing in a supergraph, regardless of the reason. */
export function findDroppedRules(rules: readonly RuleOfSubgraph[], composed: AuthorizationRules): readonly CompositionProblem[] {
  return rules
    .filter(({ location, directive }) => composed.get(location.coordinate)?.some((rule) => rule.directive === directive.name) !== true)
    .map(({ subgraph, location, directive }) =>
      problem(
        { subgraph, location },
        `Composition dropped it, so ${directive.withoutIt}. Declare the rule in the subgraph that resolves ${location.coordinate}.`,
      ),
    );
}

/** Links of a subgraph to the directives of the gateway. */
interface Links {
  /** Returns the directive of the gateway that has this name in the subgraph, or undefined for directives of other features. */
  meaningOf(name: string): GatewayDirective | undefined;
  /** Returns the schema line that is needed to include the directive in the supergraph, or undefined if it is present. */
  missingLineFor(directive: GatewayDirective, name: string): string | undefined;
}

function readLinks(document: DocumentNode, features: readonly LinkedFeature[]): Links {
  const federation = features.find(({ identity }) => identity === FEDERATION);
  const linked = new Map<string, GatewayDirective>();
  for (const directive of GATEWAY_DIRECTIVES.values()) {
    for (const feature of features) {
      const isItsFeature = feature.identity === directive.feature || (feature === federation && directive.carrier.by === 'federation');
      if (isItsFeature) linked.set(directiveNameIn(feature, directive.name), directive);
    }
  }
  const ofOthers = new Set(
    features.flatMap(({ identity, namespace, imports }) => [
      // The federation specification has no directive named `@federation`.
      ...(identity === FEDERATION ? [] : [`@${namespace}`]),
      ...imports.values(),
    ]),
  );
  const composed = composedNames(document, federation);

  return {
    meaningOf: (name) => linked.get(name) ?? (ofOthers.has(`@${name}`) ? undefined : GATEWAY_DIRECTIVES.get(name)),
    missingLineFor({ carrier, name: ownName }, name) {
      const isLinked = linked.has(name);
      if (carrier.by === 'federation') return isLinked ? undefined : linkOfFederation(federation, `@${ownName}`);
      if (isLinked && composed.has(`@${name}`)) return undefined;
      const compose = federation === undefined ? 'composeDirective' : directiveNameIn(federation, 'composeDirective');
      return [
        'extend schema',
        ...(federation === undefined ? [linkOf(FEDERATION_LINK, ['@composeDirective'])] : []),
        ...(isLinked ? [] : [linkOf(carrier.link, [`@${name}`])]),
        `@${compose}(name: "@${name}")`,
      ].join(' ');
    },
  };
}

/** Returns the arguments of `@composeDirective`, which may be imported under another name. */
function composedNames(document: DocumentNode, federation: LinkedFeature | undefined): ReadonlySet<unknown> {
  if (federation === undefined) return new Set();
  const name = directiveNameIn(federation, 'composeDirective');
  const uses = directiveLocationsIn(document).filter(({ coordinate, node }) => coordinate === 'schema' && node.name.value === name);
  return new Set(uses.map(({ node }) => argumentsOf(node)['name']));
}

/** Returns the required link of the federation specification, including the existing imports. */
function linkOfFederation(federation: LinkedFeature | undefined, directive: string): string {
  const imports = [...(federation?.imports ?? [])].map(([name, alias]) => (name === alias ? name : { name, as: alias }));
  return `extend schema ${linkOf(FEDERATION_LINK, [...imports, directive])}`;
}

function linkOf(url: string, imports: readonly (string | { readonly name: string; readonly as: string })[]): string {
  const names = imports.map((one) => (typeof one === 'string' ? `"${one}"` : `{ name: "${one.name}", as: "${one.as}" }`));
  return `@link(url: "${url}", import: [${names.join(', ')}])`;
}

function notComposed({ subgraph, location, directive }: RuleOfSubgraph, line: string): CompositionProblem {
  const name = location.node.name.value;
  const advice = line.includes('@link(')
    ? ` If @${name} is a custom directive, link it to a custom feature: ` +
      `@link(url: "https://example.com/${name}/v1.0", import: ["@${name}"]).`
    : '';
  return problem(
    { subgraph, location },
    `The subgraph does not compose @${name}, so it would be missing in the supergraph, and ${directive.withoutIt}. ` +
      `Add this to its schema: ${line}${advice}`,
  );
}

function notEnforced(subgraph: string, location: DirectiveLocation): CompositionProblem {
  return problem(
    { subgraph, location },
    'Rules are only enforced on objects, interfaces, scalars, enums, and fields of objects and interfaces. Move the rule there.',
  );
}

interface DirectiveIssue {
  readonly subgraph: string;
  readonly location: Pick<DirectiveLocation, 'coordinate' | 'node'>;
}

function problem({ subgraph, location }: DirectiveIssue, explanation: string): CompositionProblem {
  const { loc, name } = location.node;
  return {
    message: `[${subgraph}] ${location.coordinate} has @${name.value}. ${explanation}`,
    code: 'DIRECTIVE_NOT_COMPOSED',
    locations: loc === undefined ? [] : [toFileLocation(loc.source, loc.start)],
  };
}

const ROOT_NAMES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** Maps the root types of a subgraph to the default names that supergraphs use. */
function rootNames({ definitions }: DocumentNode): ReadonlyMap<string, string> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
        ? (definition.operationTypes ?? []).map(({ operation, type }) => [type.name.value, ROOT_NAMES[operation]] as const)
        : [],
    ),
  );
}

function withSupergraphName(location: DirectiveLocation, names: ReadonlyMap<string, string>): DirectiveLocation {
  const [type = '', ...rest] = location.coordinate.split('.');
  const root = names.get(type);
  return root === undefined ? location : { ...location, coordinate: [root, ...rest].join('.') };
}
