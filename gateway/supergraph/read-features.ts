import { type ConstDirectiveNode, type DocumentNode, Kind, type SchemaDefinitionNode, type SchemaExtensionNode } from 'graphql';
import { argumentsOf } from './directive-places.ts';

/** A feature that a schema links, as the link and core specifications describe it. */
export interface LinkedFeature {
  /** As it was written. */
  readonly url: string;
  /** The address without its version: what stays the same from version to version. */
  readonly identity: string;
  /** Last part of the identity: `join`. Empty where the address has none. */
  readonly name: string;
  /** `0.3`; empty where the address has none. */
  readonly version: string;
  /** What the elements of the feature are prefixed with, and what its main directive is called. */
  readonly namespace: string;
  /** `for:`; who does not know a feature with one must not serve the schema. */
  readonly purpose?: string;
  /** Names under which elements were imported, by their own name: `@key` to `@primaryKey`. */
  readonly imports: ReadonlyMap<string, string>;
}

const LINK = /^https:\/\/specs\.apollo\.dev\/(link|core)\//;
const VERSION = /^v(\d+\.\d+)$/;

/**
 * The features that a schema links with `@link`, or with the older `@core`. Either directive may itself be renamed: it is
 * found by the address it links itself with (link specification v1.0, "Bootstrapping").
 *
 * @param implicitName name of the directive where the schema does not link it: subgraphs need not. @defaultValue none
 */
export function readFeatures(document: DocumentNode, implicitName?: string): readonly LinkedFeature[] {
  const directives = document.definitions.flatMap((definition) => (isSchema(definition) ? (definition.directives ?? []) : []));
  const linkName = directives.map(linkNameOf).find((name) => name !== undefined) ?? implicitName;
  return directives.flatMap((directive) => (directive.name.value === linkName ? toFeature(argumentsOf(directive)) : []));
}

/** The feature of the join specification; undefined in what is no supergraph. */
export function joinFeatureIn(features: readonly LinkedFeature[]): LinkedFeature | undefined {
  return features.find(({ identity }) => identity === 'https://specs.apollo.dev/join');
}

/**
 * The name that a directive of a feature has in the schema.
 *
 * @param directive without its `@`
 */
export function directiveNameIn({ name, namespace, imports }: LinkedFeature, directive: string): string {
  const imported = imports.get(`@${directive}`);
  if (imported !== undefined) return imported.slice(1);
  return directive === name ? namespace : `${namespace}__${directive}`;
}

function isSchema(definition: DocumentNode['definitions'][number]): definition is SchemaDefinitionNode | SchemaExtensionNode {
  return definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION;
}

/** The name of the directive that links, where this use of it is the one that links itself. */
function linkNameOf(directive: ConstDirectiveNode): string | undefined {
  const { url, feature, as: alias } = argumentsOf(directive);
  const [, kind] = LINK.exec(String(url ?? feature)) ?? [];
  if (kind === undefined) return undefined;
  const expected = typeof alias === 'string' ? alias : kind;
  return directive.name.value === expected ? expected : undefined;
}

function toFeature({
  url,
  feature,
  as: alias,
  for: purpose,
  import: imports,
}: Readonly<Record<string, unknown>>): readonly LinkedFeature[] {
  const address = url ?? feature;
  if (typeof address !== 'string') return [];
  const { identity, name, version } = splitAddress(address);
  return [
    {
      url: address,
      identity,
      name,
      version,
      namespace: typeof alias === 'string' ? alias : name,
      ...(typeof purpose === 'string' ? { purpose } : {}),
      imports: readImports(imports),
    },
  ];
}

/** `https://specs.apollo.dev/join/v0.3` into identity, name and version (link specification v1.0, "url"). */
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
