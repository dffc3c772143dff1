import { type ConstDirectiveNode, type DocumentNode, Kind, type SchemaDefinitionNode, type SchemaExtensionNode } from 'graphql';
import { argumentsOf } from './directive-locations.ts';

/** A feature that a schema links, as defined by the link and core specifications. */
export interface LinkedFeature {
  /** Address as written. */
  readonly url: string;
  /** Address without its version, which is the same for all versions. */
  readonly identity: string;
  /** Last segment of the identity, such as `join`. Empty if the address has none. */
  readonly name: string;
  /** Version, such as `0.3`. Empty if the address has none. */
  readonly version: string;
  /** Prefix of the elements of the feature, and name of its main directive. */
  readonly namespace: string;
  /** Value of `for:`. A schema with an unknown feature that has a purpose must not be served. */
  readonly purpose?: string;
  /** Names under which elements were imported, by their original names: `@key` to `@primaryKey`. */
  readonly imports: ReadonlyMap<string, string>;
}

const LINK = /^https:\/\/specs\.apollo\.dev\/(link|core)\//;
const VERSION = /^v(\d+\.\d+)$/;

/**
 * Reads the features that a schema links with `@link`, or with the older `@core`. Either directive may be renamed: it is found by the
 * address with which it links itself (link specification v1.0, "Bootstrapping").
 *
 * @param implicitName name of the directive if the schema does not link it, which is optional in subgraphs.
 * @defaultValue none
 */
export function readFeatures(document: DocumentNode, implicitName?: string): readonly LinkedFeature[] {
  const directives = document.definitions.flatMap((definition) => (isSchema(definition) ? (definition.directives ?? []) : []));
  const linkName = directives.map(linkNameOf).find((name) => name !== undefined) ?? implicitName;
  return directives.flatMap((directive) => {
    const feature = directive.name.value === linkName ? featureOf(argumentsOf(directive)) : undefined;
    return feature === undefined ? [] : [feature];
  });
}

/** Returns the feature of the join specification, or undefined if the schema is not a supergraph. */
export function joinFeatureIn(features: readonly LinkedFeature[]): LinkedFeature | undefined {
  return features.find(({ identity }) => identity === 'https://specs.apollo.dev/join');
}

/**
 * Returns the name of a directive of a feature in the schema.
 *
 * @param directive name without its `@`
 */
export function directiveNameIn({ name, namespace, imports }: LinkedFeature, directive: string): string {
  const imported = imports.get(`@${directive}`);
  if (imported !== undefined) return imported.slice(1);
  return directive === name ? namespace : `${namespace}__${directive}`;
}

/** Whether a definition is that of the schema or extends it. */
export function isSchema(definition: DocumentNode['definitions'][number]): definition is SchemaDefinitionNode | SchemaExtensionNode {
  return definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION;
}

/** Returns the name of the linking directive, if this use of it links itself. */
function linkNameOf(directive: ConstDirectiveNode): string | undefined {
  const { url, feature, as: alias } = argumentsOf(directive);
  const [, kind] = LINK.exec(String(url ?? feature)) ?? [];
  if (kind === undefined) return undefined;
  const expected = typeof alias === 'string' ? alias : kind;
  return directive.name.value === expected ? expected : undefined;
}

/** Reads a feature from the arguments of the linking directive. Returns undefined if they contain no address. */
export function featureOf({
  url,
  feature,
  as: alias,
  for: purpose,
  import: imports,
}: Readonly<Record<string, unknown>>): LinkedFeature | undefined {
  const address = url ?? feature;
  if (typeof address !== 'string') return undefined;
  const { identity, name, version } = splitAddress(address);
  return {
    url: address,
    identity,
    name,
    version,
    namespace: typeof alias === 'string' ? alias : name,
    ...(typeof purpose === 'string' ? { purpose } : {}),
    imports: readImports(imports),
  };
}

/** Splits `https://specs.apollo.dev/join/v0.3` into identity, name and version (link specification v1.0, "url"). */
function splitAddress(address: string): Pick<LinkedFeature, 'identity' | 'name' | 'version'> {
  const parts = address.replace(/\/+$/, '').split('/');
  const version = VERSION.exec(parts.at(-1) ?? '')?.[1] ?? '';
  const identity = (version === '' ? parts : parts.slice(0, -1)).join('/');
  return { identity, name: identity.slice(identity.lastIndexOf('/') + 1), version };
}

function readImports(imports: unknown): ReadonlyMap<string, string> {
  if (!Array.isArray(imports)) return new Map();
  return new Map(
    (imports as readonly unknown[]).flatMap((entry): (readonly [string, string])[] => {
      if (typeof entry === 'string') return [[entry, entry]];
      const { name, as: alias = name } = (entry ?? {}) as Readonly<Record<string, unknown>>;
      return typeof name === 'string' && typeof alias === 'string' ? [[name, alias]] : [];
    }),
  );
}
