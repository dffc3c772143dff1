import { type ConstDirectiveNode, type DocumentNode, Kind, type TypeDefinitionNode } from 'graphql';
import { argumentsOf, directivesOf } from './directive-places.ts';
import { type LinkedFeature, directiveNameIn } from './read-features.ts';

/** What `@cacheControl` says in one place. */
export interface CacheHint {
  /** @unit seconds */
  readonly maxAge?: number;
  readonly scope?: 'PUBLIC' | 'PRIVATE';
  /** Whether a field of object type is as fresh as what it stands in, instead of not at all. */
  readonly inheritMaxAge?: boolean;
}

/** Every `@cacheControl` of a supergraph by schema coordinate: `Book`, `Query.book`. */
export type CacheHints = ReadonlyMap<string, CacheHint>;

const DIRECTIVE = 'cacheControl';
const OWN_FEATURE = 'https://gatefold.dev/cache';

/**
 * Reads the hints that subgraphs had composed. The directive is ours, or that of any feature which links one of this name, for
 * there is no specification with an address for it; it may be renamed.
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

/** What is not understood allows nothing. */
function toHint(directive: ConstDirectiveNode): CacheHint {
  const { maxAge, scope, inheritMaxAge } = argumentsOf(directive);
  return {
    ...(maxAge === undefined || maxAge === null ? {} : { maxAge: Number.isSafeInteger(maxAge) ? Math.max(0, maxAge as number) : 0 }),
    ...(scope === undefined || scope === null ? {} : { scope: scope === 'PUBLIC' ? 'PUBLIC' : 'PRIVATE' }),
    ...(inheritMaxAge === true ? { inheritMaxAge } : {}),
  };
}

/** Of what several subgraphs say about one place. */
function strictest(one: CacheHint, other: CacheHint): CacheHint {
  const ages = [one.maxAge, other.maxAge].filter((age) => age !== undefined);
  const scopes = [one.scope, other.scope].filter((scope) => scope !== undefined);
  return {
    ...(ages.length === 0 ? {} : { maxAge: Math.min(...ages) }),
    ...(scopes.length === 0 ? {} : { scope: scopes.includes('PRIVATE') ? 'PRIVATE' : 'PUBLIC' }),
    ...(one.inheritMaxAge === true && other.inheritMaxAge === true ? { inheritMaxAge: true } : {}),
  };
}
