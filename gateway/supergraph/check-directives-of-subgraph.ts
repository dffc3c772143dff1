import { type DocumentNode, Kind } from 'graphql';
import { findMisspellings } from './check-spelling.ts';
import { type CompositionProblem, toFileLocation } from './composition-problem.ts';
import { argumentsOf, coordinatesOf, type DirectiveLocation, directiveLocationsIn } from '../directives/directive-locations.ts';
import { FEDERATION, FEDERATION_LINK, GATEWAY_DIRECTIVES, type GatewayDirective } from './gateway-directives.ts';
import { directiveNameIn, type LinkedFeature, readFeatures } from '../directives/read-features.ts';

/** Directives of the gateway in one subgraph. */
export interface DirectivesOfSubgraph {
  /** Uses that composition silently drops, and rules at locations where they are not enforced. */
  readonly problems: readonly CompositionProblem[];
  /** Uses that the supergraph must contain. */
  readonly uses: readonly SubgraphDirective[];
}

/** A directive of the gateway at one location of a subgraph. */
export interface SubgraphDirective {
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
 * @param elsewhere directives by their names in other subgraphs. A subgraph that uses such a name without a link is missing the link.
 */
export function checkDirectivesOfSubgraph(
  subgraph: string,
  document: DocumentNode,
  elsewhere: ReadonlyMap<string, GatewayDirective> = new Map(),
): DirectivesOfSubgraph {
  const features = readFeatures(document, IMPLICIT_LINK);
  const links = readLinks(document, features, elsewhere);
  const roots = rootNames(document);
  const problems: CompositionProblem[] = findMisspellings(document, features).map(({ coordinate, node, explanation }) =>
    problem({ subgraph, location: { coordinate, node } }, explanation),
  );
  const uses: SubgraphDirective[] = [];
  const isExternal = compileExternal(document, features);
  for (const location of directiveLocationsIn(document)) {
    const name = location.node.name.value;
    const directive = links.meaningOf(name);
    if (directive === undefined) continue;
    const line = links.missingLineFor(directive, name);
    if (line !== undefined) problems.push(notComposed({ subgraph, location, directive }, line));
    else if (directive.isGuard && !location.isGuardable) problems.push(notEnforced(subgraph, location));
    // Composition takes costs and cache hints from the subgraphs that resolve a field.
    else if (directive.isGuard || !isExternal(location.coordinate))
      uses.push({ subgraph, location: withSupergraphName(location, roots), directive });
  }
  return { problems, uses };
}

/**
 * Returns a function that determines whether a subgraph only declares the field of a coordinate, or its argument, because another subgraph
 * resolves it.
 */
function compileExternal(document: DocumentNode, features: readonly LinkedFeature[]): (coordinate: string) => boolean {
  const federation = features.find(({ identity }) => identity === FEDERATION);
  const name = federation === undefined ? 'external' : directiveNameIn(federation, 'external');
  const external = new Set(
    directiveLocationsIn(document).flatMap(({ coordinate, node }) => (node.name.value === name ? [coordinate] : [])),
  );
  return (coordinate) => {
    const [field = ''] = coordinate.split('(');
    const [type = ''] = field.split('.');
    return external.has(field) || external.has(type);
  };
}

/**
 * Returns the directives of subgraphs that are missing in a supergraph, regardless of the reason. Costs of arguments and input fields that
 * composition omits are not missing, because clients cannot use these elements.
 */
export function findDroppedDirectives(uses: readonly SubgraphDirective[], supergraph: DocumentNode): readonly CompositionProblem[] {
  const names = namesOfDirectives(readFeatures(supergraph));
  const composed = new Set(
    directiveLocationsIn(supergraph).map(({ coordinate, node }) => `${coordinate} @${names.get(node.name.value) ?? ''}`),
  );
  const remaining = coordinatesOf(supergraph);
  return uses
    .filter(({ location: { coordinate }, directive }) => directive.isGuard || remaining.has(coordinate))
    .filter(({ location: { coordinate }, directive }) => !composed.has(`${coordinate} @${directive.name}`))
    .map(({ subgraph, location, directive }) =>
      problem(
        { subgraph, location },
        `Composition dropped it, so ${directive.withoutIt}. Declare it in the subgraph that resolves ${location.coordinate}.`,
      ),
    );
}

/** Returns the directives of the gateway by their names in a supergraph. */
function namesOfDirectives(features: readonly LinkedFeature[]): ReadonlyMap<string, string> {
  return new Map(
    [...GATEWAY_DIRECTIVES.values()].flatMap(({ name, feature: identity }) =>
      features.filter((feature) => feature.identity === identity).map((feature) => [directiveNameIn(feature, name), name] as const),
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

/** Returns the directives of the gateway that a subgraph links, by their names in it. */
export function linkedDirectivesOf(
  document: DocumentNode,
  features: readonly LinkedFeature[] = readFeatures(document, IMPLICIT_LINK),
): ReadonlyMap<string, GatewayDirective> {
  const linked = new Map<string, GatewayDirective>();
  for (const directive of GATEWAY_DIRECTIVES.values()) {
    for (const feature of features) {
      const isOfFederation = feature.identity === FEDERATION && directive.carrier.by === 'federation';
      if (feature.identity === directive.feature || isOfFederation) linked.set(directiveNameIn(feature, directive.name), directive);
    }
  }
  return linked;
}

function readLinks(document: DocumentNode, features: readonly LinkedFeature[], elsewhere: ReadonlyMap<string, GatewayDirective>): Links {
  const federation = features.find(({ identity }) => identity === FEDERATION);
  const linked = linkedDirectivesOf(document, features);
  const ofOthers = new Set(
    features.flatMap(({ identity, namespace, imports }) => [
      // The federation specification has no directive named `@federation`.
      ...(identity === FEDERATION ? [] : [`@${namespace}`]),
      ...imports.values(),
    ]),
  );
  const composed = composedNames(document, federation);

  return {
    meaningOf: (name) => linked.get(name) ?? (ofOthers.has(`@${name}`) ? undefined : (GATEWAY_DIRECTIVES.get(name) ?? elsewhere.get(name))),
    missingLineFor({ carrier, name: ownName }, name) {
      const isLinked = linked.has(name);
      const entry = name === ownName ? `@${name}` : { name: `@${ownName}`, as: `@${name}` };
      if (carrier.by === 'federation') return isLinked ? undefined : linkOfFederation(federation, entry);
      if (isLinked && composed.has(`@${name}`)) return undefined;
      const compose = federation === undefined ? 'composeDirective' : directiveNameIn(federation, 'composeDirective');
      return [
        'extend schema',
        ...(federation === undefined ? [linkOf(FEDERATION_LINK, ['@composeDirective'])] : []),
        ...(isLinked ? [] : [linkOf(carrier.link, [entry])]),
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
function linkOfFederation(federation: LinkedFeature | undefined, directive: ImportEntry): string {
  const imports = [...(federation?.imports ?? [])].map(([name, alias]) => (name === alias ? name : { name, as: alias }));
  return `extend schema ${linkOf(FEDERATION_LINK, [...imports, directive])}`;
}

type ImportEntry = string | { readonly name: string; readonly as: string };

function linkOf(url: string, imports: readonly ImportEntry[]): string {
  const names = imports.map((one) => (typeof one === 'string' ? `"${one}"` : `{ name: "${one.name}", as: "${one.as}" }`));
  return `@link(url: "${url}", import: [${names.join(', ')}])`;
}

function notComposed({ subgraph, location, directive }: SubgraphDirective, line: string): CompositionProblem {
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
