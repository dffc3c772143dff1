import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql';
import { lineOf } from './line-of.ts';
import { argumentsOf, type DirectiveLocation, directiveLocationsIn } from '../directives/directive-locations.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { FEDERATION, FEDERATION_DIRECTIVES, FEDERATION_LINK, GATEWAY_DIRECTIVES, OWN_FEATURES } from './gateway-directives.ts';
import { type LinkedFeature, directiveNameIn, isSchema } from '../directives/read-features.ts';

/** A use of a directive, or a link, that refers to a feature of the gateway with an unknown name. */
export interface Misspelling {
  /** Schema coordinate; `schema` for a link. */
  readonly coordinate: string;
  readonly node: ConstDirectiveNode;
  /** Reason and fix, as a sentence. */
  readonly explanation: string;
}

/** Directives by the identity of their feature. */
const DIRECTIVES_OF: ReadonlyMap<string, ReadonlySet<string>> = directivesByFeature();

/** Matches addresses on the host of Gatefold's features, or on a subdomain of it, with any scheme. */
const OWN_HOST = /^(?:[a-z][\w+.-]*:)?\/*(?:[^/?#@]*@)?(?:[\w-]+\.)*gatefold\.dev\.?(?::\d*)?(?:[/?#]|$)/i;

/** Matches addresses on the host of the federation specification, in any spelling. */
const SPECIFICATION_HOST = /^\s*(?:[a-z][\w+.-]*:)?\/*(?:[^/?#@]*@)?(?:[\w-]+\.)*specs\.apollo\.dev\.?(?::\d*)?(?:[/?#]|$)/i;

/** Matches the spelling that composition recognizes. */
const SPECIFICATION_URL = /^https:\/\/specs\.apollo\.dev\/\w+\/v\d+\.\d+\/?$/;

/**
 * Finds names that look like directives of the gateway but are not. Examples are a prefixed name when the link defines another name, such
 * as `@auth__auth` for `@auth`, and links to unknown addresses on `gatefold.dev`. Without an error, the rule would be silently ignored.
 *
 * @param features links of the document
 */
export function findMisspellings(document: DocumentNode, features: readonly LinkedFeature[]): readonly Misspelling[] {
  const explain = createSpelling(features);
  const schema = { ...document, definitions: document.definitions.filter(isSchema) };
  const links = directiveLocationsIn(schema).flatMap((location) => misspelledLink(location, features));
  const uses = directiveLocationsIn(document, (name) => explain(name) !== undefined).flatMap(({ coordinate, node }) => {
    const found = explain(node.name.value);
    return found === undefined ? [] : [{ coordinate, node, explanation: found.explanation }];
  });
  return [...links, ...uses];
}

/**
 * Rejects such names in a supergraph, including definitions of such directives. A definition next to one with the correct name is unused
 * and harmless.
 *
 * @throws SupergraphInvalid that names the first one with its line
 */
export function refuseMisspellings(document: DocumentNode, features: readonly LinkedFeature[]): void {
  const [first] = findMisspellings(document, features);
  if (first !== undefined) throw invalid(`${first.coordinate} has @${first.node.name.value}`, first.node, first.explanation);
  const explain = createSpelling(features);
  const definitions = document.definitions.filter((definition) => definition.kind === Kind.DIRECTIVE_DEFINITION);
  const defined = new Set(definitions.map(({ name }) => name.value));
  for (const definition of definitions) {
    const found = explain(definition.name.value);
    if (found === undefined || (found.rightName !== undefined && defined.has(found.rightName))) continue;
    throw invalid(`it defines @${definition.name.value}`, definition, found.explanation);
  }
}

function invalid(issue: string, node: Pick<ConstDirectiveNode, 'loc'>, explanation: string): SupergraphInvalid {
  return new SupergraphInvalid(`The supergraph cannot be served: ${issue}${lineOf(node)}. ${explanation}`);
}

function misspelledLink({ coordinate, node }: DirectiveLocation, features: readonly LinkedFeature[]): readonly Misspelling[] {
  const { url, feature: older } = argumentsOf(node);
  const feature = features.find((one) => one.url === (url ?? older));
  if (feature === undefined) return [];
  const issue = issueOfAddress(feature) ?? issueOfSpecification(feature) ?? issueOfImports(feature);
  return issue === undefined ? [] : [{ coordinate, node, explanation: issue }];
}

function issueOfAddress({ url, identity, version }: LinkedFeature): string | undefined {
  if (!OWN_HOST.test(url)) return undefined;
  if (OWN_FEATURES.get(identity)?.includes(version) === true) return undefined;
  const known = [...OWN_FEATURES].flatMap(([one, versions]) => versions.map((number) => `${one}/v${number}`));
  return `The gateway does not support the feature ${url} and would ignore its directives. Link one of ${known.join(', ')}.`;
}

/**
 * Finds addresses that only resemble those of the federation specification. Composition treats them as custom features, so it ignores their
 * rules if the subgraph also defines the directives, as many libraries do.
 */
function issueOfSpecification({ url, identity, name, imports }: LinkedFeature): string | undefined {
  const isOnHost = SPECIFICATION_HOST.test(url);
  const isNearFederation = identity !== FEDERATION && name.toLowerCase() === 'federation';
  if (isOnHost && (isNearFederation || !SPECIFICATION_URL.test(url))) {
    return `The gateway does not support the feature ${url} and would ignore its directives. Write the address as "${FEDERATION_LINK}".`;
  }
  if (!isOnHost && !isNearFederation) return undefined;
  const foreign = [...imports.keys()].find((imported) => {
    const directive = GATEWAY_DIRECTIVES.get(imported.slice(1));
    return directive?.carrier.by === 'federation' && identity !== FEDERATION && identity !== directive.feature;
  });
  return foreign === undefined
    ? undefined
    : `${url} has no directive ${foreign}, so the gateway would ignore it. Import it from "${FEDERATION_LINK}".`;
}

function issueOfImports({ url, identity, imports }: LinkedFeature): string | undefined {
  const known = DIRECTIVES_OF.get(identity);
  if (known === undefined || identity === FEDERATION) return undefined;
  const unknown = [...imports.keys()].find((name) => name.startsWith('@') && !known.has(name.slice(1)));
  return unknown === undefined ? undefined : `${url} has no directive ${unknown}. It has ${listOf(known)}.`;
}

interface WrongName {
  readonly explanation: string;
  /** Name that the link defines for the directive. Absent if the directive does not exist. */
  readonly rightName?: string;
}

/** @returns a function that explains the error in the name of a directive, or returns undefined if the name is correct */
function createSpelling(features: readonly LinkedFeature[]): (name: string) => WrongName | undefined {
  const namespaces = new Set(features.map(({ namespace }) => namespace));
  const ours = features.filter(({ identity }) => DIRECTIVES_OF.has(identity));
  const notLinked = [...DIRECTIVES_OF.keys()]
    .filter((identity) => !features.some((feature) => feature.identity === identity))
    .map((identity) => identity.slice(identity.lastIndexOf('/') + 1))
    .filter((name) => !namespaces.has(name));
  const right = new Set(
    features.flatMap((feature) => [
      ...[...feature.imports.values()].map((name) => name.slice(1)),
      ...[...(DIRECTIVES_OF.get(feature.identity) ?? [])].map((directive) => directiveNameIn(feature, directive)),
    ]),
  );
  const linksMore = (name: string): boolean =>
    features.some(({ identity, namespace }) => namespace === name && !DIRECTIVES_OF.has(identity));

  return (name) => {
    if (right.has(name)) return undefined;
    for (const feature of ours) {
      const { namespace, url } = feature;
      if (name === namespace && linksMore(name)) continue;
      const own = name === namespace ? feature.name : withoutPrefix(name, namespace);
      if (own === undefined) continue;
      const known = DIRECTIVES_OF.get(feature.identity) ?? new Set();
      if (known.has(own)) {
        const rightName = directiveNameIn(feature, own);
        return { explanation: `The link of ${url} defines another name for @${own}. Write @${rightName}.`, rightName };
      }
      if (feature.identity === FEDERATION) continue;
      const names = new Set([...known].map((directive) => directiveNameIn(feature, directive)));
      return { explanation: `${url} has no directive of this name. It has ${listOf(names)}.` };
    }
    for (const prefix of notLinked) {
      const own = withoutPrefix(name, prefix);
      if (own === undefined || !ALL_DIRECTIVES.has(own)) continue;
      return { explanation: `The schema links no feature with the prefix ${prefix}. Link the feature of @${own} and write @${own}.` };
    }
    return undefined;
  };
}

function withoutPrefix(name: string, namespace: string): string | undefined {
  return name.startsWith(`${namespace}__`) ? name.slice(namespace.length + 2) : undefined;
}

function listOf(names: ReadonlySet<string>): string {
  return [...names].map((name) => `@${name}`).join(', ');
}

const ALL_DIRECTIVES: ReadonlySet<string> = new Set([...GATEWAY_DIRECTIVES.keys(), ...FEDERATION_DIRECTIVES]);

function directivesByFeature(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>([
    [FEDERATION, new Set(FEDERATION_DIRECTIVES)],
    ['https://specs.apollo.dev/inaccessible', new Set(['inaccessible'])],
  ]);
  for (const { name, feature } of GATEWAY_DIRECTIVES.values()) found.set(feature, (found.get(feature) ?? new Set()).add(name));
  return found;
}
