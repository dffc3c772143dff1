import { type DocumentNode, Kind } from 'graphql';
import { CONNECT_FEATURE, isConnectFeature } from '../connectors/definition/connect-link.ts';
import { CONNECT_VERSIONS } from '../connectors/connect-version.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { OWN_FEATURES } from './gateway-directives.ts';
import { directiveNameIn, featureOf, joinFeatureIn, type LinkedFeature } from '../directives/read-features.ts';
import { argumentsOf } from '../directives/directive-locations.ts';

const SPECS = 'https://specs.apollo.dev';

/** Supported features, and features without an effect at runtime, with their known versions. */
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
  [CONNECT_FEATURE, CONNECT_VERSIONS],
  ...OWN_FEATURES,
]);

/** Features that cannot be ignored, regardless of their `for:`, because guarded data would be accessible without them. */
const GUARDING: ReadonlySet<string> = new Set([
  `${SPECS}/inaccessible`,
  `${SPECS}/authenticated`,
  `${SPECS}/requiresScopes`,
  `${SPECS}/policy`,
  'https://gatefold.dev/auth',
]);

/** Unsupported features, with the reason. */
const REJECTED: ReadonlyMap<string, string> = new Map([
  [`${SPECS}/source`, 'it maps fields to REST endpoints by an unreleased specification. Link https://specs.apollo.dev/connect instead'],
]);

/**
 * Rejects a supergraph that requires an unsupported feature. Unknown features without `for:` are ignored, as defined by the link
 * specification.
 *
 * @throws SupergraphInvalid that names every such feature
 */
export function refuseFeatures(document: DocumentNode, features: readonly LinkedFeature[]): void {
  const issues = [...features, ...joinedFeatures(document, features)].flatMap((feature) => issueOf(feature) ?? []);
  const distinct = [...new Set(issues)];
  if (distinct.length > 0) throw new SupergraphInvalid(`The supergraph cannot be served: ${distinct.join('; ')}.`);
}

function issueOf({ url, identity, version, purpose }: LinkedFeature): string | undefined {
  const reason = REJECTED.get(identity);
  if (reason !== undefined) return `it uses ${url}: ${reason}`;
  const versions = KNOWN.get(identity);
  if (versions?.includes(version) === true) return undefined;
  if (purpose !== 'SECURITY' && purpose !== 'EXECUTION' && !GUARDING.has(identity)) return undefined;
  const why = purpose === undefined ? 'it guards data' : `it is marked "for: ${purpose}"`;
  const known =
    versions === undefined
      ? 'the gateway supports no version of it'
      : `the gateway supports ${versions.map((one) => `v${one}`).join(', ')}`;
  return `it uses ${url}, which cannot be ignored because ${why}; ${known}`;
}

/**
 * Returns features of single subgraphs. Composition copies a directive that it does not merge as
 * `@join__directive(name: "link", args: { url })` (join specification v0.5).
 */
function joinedFeatures(document: DocumentNode, features: readonly LinkedFeature[]): readonly LinkedFeature[] {
  const join = joinFeatureIn(features);
  if (join === undefined) return [];
  const wanted = directiveNameIn(join, 'directive');
  return document.definitions
    .flatMap((definition) => (definition.kind === Kind.SCHEMA_DEFINITION ? (definition.directives ?? []) : []))
    .filter(({ name }) => name.value === wanted)
    .flatMap((directive) => featureOf((argumentsOf(directive)['args'] ?? {}) as Readonly<Record<string, unknown>>) ?? [])
    .filter((feature) => REJECTED.has(feature.identity) || isConnectFeature(feature))
    .map((feature) => Object.assign(feature, { purpose: 'EXECUTION' }));
}
