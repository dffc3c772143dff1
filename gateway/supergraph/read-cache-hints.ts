import { type ConstDirectiveNode, type DocumentNode, Kind, type TypeDefinitionNode } from 'graphql';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';
import { type LinkedFeature, directiveNameIn } from '../directives/read-features.ts';

/** `@cacheControl` at one location. */
export interface CacheHint {
  /** Lifetime of the cached data. @unit seconds */
  readonly maxAge?: number;
  readonly scope?: 'PUBLIC' | 'PRIVATE';
  /** Whether a field of object type has the lifetime of its parent, instead of not being cached. */
  readonly inheritMaxAge?: boolean;
}

/** All `@cacheControl` directives of a supergraph by schema coordinate: `Book`, `Query.book`. */
export type CacheHints = ReadonlyMap<string, CacheHint>;

const DIRECTIVE = 'cacheControl';
const OWN_FEATURE = 'https://gatefold.dev/cache';

/**
 * Reads the hints that subgraphs composed. The directive belongs to Gatefold's feature, or to any feature that links a directive of this
 * name, because no specification defines an address for it. It may be renamed.
 */
export function readCacheHints(document: DocumentNode, features: readonly LinkedFeature[]): CacheHints {
  const names = features.filter(hasDirective).map((feature) => directiveNameIn(feature, DIRECTIVE));
  const hints = new Map<string, CacheHint>();
  if (names.length === 0) return hints;
  const add = (coordinate: string, node: { readonly directives?: readonly ConstDirectiveNode[] | undefined }): void => {
    const directives = names.flatMap((name) => directivesOf(node, name));
    if (directives.length > 0) hints.set(coordinate, directives.map(toHint).reduce(strictest));
  };
  for (const definition of document.definitions) {
    if (!isComposite(definition)) continue;
    const type = definition.name.value;
    add(type, definition);
    for (const field of ('fields' in definition && definition.fields) || []) add(`${type}.${field.name.value}`, field);
  }
  return hints;
}

function hasDirective({ identity, name, imports }: LinkedFeature): boolean {
  return identity === OWN_FEATURE || name === DIRECTIVE || imports.has(`@${DIRECTIVE}`);
}

const COMPOSITES: ReadonlySet<Kind> = new Set([Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION, Kind.UNION_TYPE_DEFINITION]);

function isComposite(definition: DocumentNode['definitions'][number]): definition is TypeDefinitionNode {
  return COMPOSITES.has(definition.kind);
}

/** Converts a directive. Invalid values disable caching. */
function toHint(directive: ConstDirectiveNode): CacheHint {
  const { maxAge, scope, inheritMaxAge } = argumentsOf(directive);
  return {
    ...(maxAge === undefined || maxAge === null ? {} : { maxAge: Number.isSafeInteger(maxAge) ? Math.max(0, maxAge as number) : 0 }),
    ...(scope === undefined || scope === null ? {} : { scope: scope === 'PUBLIC' ? 'PUBLIC' : 'PRIVATE' }),
    ...(inheritMaxAge === true ? { inheritMaxAge } : {}),
  };
}

/** Combines the hints of several subgraphs for one location into the strictest one. */
function strictest(one: CacheHint, other: CacheHint): CacheHint {
  const ages = [one.maxAge, other.maxAge].filter((age) => age !== undefined);
  const scopes = [one.scope, other.scope].filter((scope) => scope !== undefined);
  return {
    ...(ages.length === 0 ? {} : { maxAge: Math.min(...ages) }),
    ...(scopes.length === 0 ? {} : { scope: scopes.includes('PRIVATE') ? 'PRIVATE' : 'PUBLIC' }),
    ...(one.inheritMaxAge === true && other.inheritMaxAge === true ? { inheritMaxAge: true } : {}),
  };
}
