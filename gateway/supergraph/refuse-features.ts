import { type DocumentNode, Kind } from 'graphql';
import { SupergraphInvalid } from './errors.ts';
import { OWN_FEATURES } from './gateway-directives.ts';
import { type LinkedFeature, directiveNameIn, joinFeatureIn } from './read-features.ts';
import { argumentsOf } from './directive-places.ts';

const SPECS = 'https://specs.apollo.dev';

/** Features that are honoured, or that say nothing about serving, with the versions that are known. */
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  [`${SPECS}/core`, ['0.1', '0.2']],
  [`${SPECS}/link`, ['1.0']],
  [`${SPECS}/join`, ['0.1', '0.2', '0.3', '0.4', '0.5']],
  [`${SPECS}/tag`, ['0.1', '0.2', '0.3']],
  [`${SPECS}/inaccessible`, ['0.1', '0.2']],
  [`${SPECS}/authenticated`, ['0.1']],
  [`${SPECS}/requiresScopes`, ['0.1']],
  [`${SPECS}/policy`, ['0.1']],
  [`${SPECS}/cost`, ['0.1']],
  [`${SPECS}/context`, ['0.1']],
  [`${SPECS}/cacheTag`, ['0.1']],
  ...OWN_FEATURES,
]);

/** Features that cannot be passed over, whatever their `for:` says: without them data that is guarded would be open. */
const GUARDING: ReadonlySet<string> = new Set([
  `${SPECS}/inaccessible`,
  `${SPECS}/authenticated`,
  `${SPECS}/requiresScopes`,
  `${SPECS}/policy`,
  'https://gatefold.dev/auth',
]);

const NO_CONNECTORS =
  'it maps fields to REST addresses, which this gateway does not call. Put a subgraph in front of those addresses, and compose without it';

/** Features that are known, and why they are not served. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  [`${SPECS}/connect`, NO_CONNECTORS],
  [`${SPECS}/source`, NO_CONNECTORS],
]);

/**
 * Refuses a supergraph with a feature that must not be passed over and that is not known here. A feature without `for:`
 * that nobody knows is passed over, as the link specification has it.
 *
 * @throws SupergraphInvalid that names every such feature
 */
export function refuseFeatures(document: DocumentNode, features: readonly LinkedFeature[]): void {
  const faults = [...features, ...joinedFeatures(document, features)].flatMap((feature) => faultOf(feature) ?? []);
  const distinct = [...new Set(faults)];
  if (distinct.length > 0) throw new SupergraphInvalid(`The supergraph cannot be served: ${distinct.join('; ')}.`);
}

function faultOf({ url, identity, version, purpose }: LinkedFeature): string | undefined {
  const reason = REFUSED.get(identity);
  if (reason !== undefined) return `it uses ${url}: ${reason}`;
  const versions = KNOWN.get(identity);
  if (versions?.includes(version) === true) return undefined;
  if (purpose !== 'SECURITY' && purpose !== 'EXECUTION' && !GUARDING.has(identity)) return undefined;
  const why = purpose === undefined ? 'it guards data' : `it is marked "for: ${purpose}"`;
  const known = versions === undefined ? 'no version of it is supported' : `supported is ${versions.map((one) => `v${one}`).join(', ')}`;
  return `it uses ${url}, which must not be passed over because ${why}; ${known}`;
}

/**
 * Features of single subgraphs: composition keeps a directive that it does not merge as
 * `@join__directive(name: "link", args: { url })` (join specification v0.5).
 */
function joinedFeatures(document: DocumentNode, features: readonly LinkedFeature[]): readonly LinkedFeature[] {
  const join = joinFeatureIn(features);
  if (join === undefined) return [];
  const wanted = directiveNameIn(join, 'directive');
  return document.definitions
    .flatMap((definition) => (definition.kind === Kind.SCHEMA_DEFINITION ? (definition.directives ?? []) : []))
    .filter(({ name }) => name.value === wanted)
    .map((directive) => (argumentsOf(directive)['args'] ?? {}) as Readonly<Record<string, unknown>>)
    .flatMap(({ url }) => {
      const refused = typeof url === 'string' ? [...REFUSED.keys()].find((identity) => url.startsWith(`${identity}/`)) : undefined;
      return refused === undefined
        ? []
        : [{ url: String(url), identity: refused, name: '', version: '', namespace: '', imports: new Map() }];
    });
}
