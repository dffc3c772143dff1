import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from 'graphql';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { CacheHint, CacheHints } from '../supergraph/read-cache-hints.ts';

/** Cache policy of an operation, and the types in its response. */
export interface OperationCachePolicy extends CachePolicy {
  /** Names of all object types, interfaces and unions that a response can contain. The response is invalidated by them. */
  readonly types: readonly string[];
}

/** Inputs from which policies are compiled; the same for all operations of a supergraph. */
export interface CachePolicySources {
  /** Public schema. */
  readonly schema: GraphQLSchema;
  readonly hints: CacheHints;
  /** Whether a type or field, by its coordinate, is protected by an authorization rule. */
  readonly authorization: { has(coordinate: string): boolean };
}

/**
 * Returns the cache policy of a document.
 *
 * @returns undefined when responses cannot be cached: mutations, introspection, and documents with a field that requires a hint but has
 * none
 */
export type CachePolicyOf = (document: DocumentNode) => OperationCachePolicy | undefined;

/**
 * Compiles policies by the documented rules of Apollo Server ("Server-side caching"). Root fields and fields that return objects have a
 * maximum age of 0, unless a hint on the field or on its type sets one. Other fields inherit the maximum age of their parent. The strictest
 * hint applies to the whole response. Fields under `@skip` and `@include` always count.
 *
 * Two rules are stricter. A response is public only if every field that returns objects is declared public and no field is protected by an
 * authorization rule. For an interface or a union, the hints of all possible types count.
 */
export function createCachePolicyCompiler(sources: CachePolicySources): CachePolicyOf {
  return (document) => {
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const root = sources.schema.getQueryType();
    if (operation?.operation !== OperationTypeNode.QUERY || root === null || root === undefined) return undefined;
    return new PolicyWalk(sources, fragmentsOf(document)).walk(operation, root);
  };
}

/**
 * Returns the cache policy of entities.
 *
 * @param selections selections of an `_entities` field
 * @returns undefined when the entities cannot be cached
 */
export type EntityPolicyOf = (selections: SelectionSetNode) => OperationCachePolicy | undefined;

/**
 * Compiles policies for entity requests to subgraphs. Each entity counts as if it were returned by a field without a hint, so its type must
 * define a maximum age. Types that are not in the public schema are never cached.
 */
export function createEntityPolicyCompiler(sources: CachePolicySources): EntityPolicyOf {
  return (selections) => new PolicyWalk(sources, new Map()).walkEntities(selections);
}

class PolicyWalk {
  readonly #sources: CachePolicySources;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #types = new Set<string>();
  /** Fragments that were already visited. A second visit would not change the result. */
  readonly #walked = new Set<FragmentDefinitionNode>();
  #maxAge = Infinity;
  #isPublic = true;

  constructor(sources: CachePolicySources, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#sources = sources;
    this.#fragments = fragments;
  }

  walk({ selectionSet }: OperationDefinitionNode, root: GraphQLCompositeType): OperationCachePolicy | undefined {
    this.#visitSelections(selectionSet, root);
    return this.#result();
  }

  walkEntities({ selections }: SelectionSetNode): OperationCachePolicy | undefined {
    for (const selection of selections) {
      const type = selection.kind === Kind.INLINE_FRAGMENT ? this.#typeOf(selection.typeCondition) : undefined;
      if (selection.kind === Kind.INLINE_FRAGMENT && type !== undefined) this.#visitEntity(selection.selectionSet, type);
      else if (selection.kind !== Kind.FIELD || selection.name.value !== '__typename') this.#maxAge = 0;
    }
    return this.#result();
  }

  #visitEntity(selectionSet: SelectionSetNode, type: GraphQLCompositeType): void {
    const types = this.#withPossible(type);
    for (const each of types) this.#types.add(each);
    if (this.#isGuarded(types)) this.#isPublic = false;
    this.#restrict({ maxAge: 0, scope: 'PRIVATE', ...this.#sources.hints.get(type.name) });
    for (const each of types) this.#restrict(this.#sources.hints.get(each));
    this.#visitSelections(selectionSet, type);
  }

  #result(): OperationCachePolicy | undefined {
    if (this.#maxAge === 0 || this.#maxAge === Infinity) return undefined;
    return { maxAgeSeconds: this.#maxAge, scope: this.#isPublic ? 'PUBLIC' : 'PRIVATE', types: [...this.#types] };
  }

  #visitSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType): void {
    for (const selection of selections) {
      if (this.#maxAge === 0) return;
      if (selection.kind === Kind.FIELD) this.#visitField(selection, parent);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) this.#visitSpread(selection.name.value);
      else this.#visitSelections(selection.selectionSet, this.#typeOf(selection.typeCondition) ?? parent);
    }
  }

  #visitSpread(name: string): void {
    const fragment = this.#fragments.get(name);
    const type = this.#typeOf(fragment?.typeCondition);
    if (fragment === undefined || type === undefined || this.#walked.has(fragment)) return;
    this.#walked.add(fragment);
    this.#visitSelections(fragment.selectionSet, type);
  }

  #typeOf(condition: NamedTypeNode | undefined): GraphQLCompositeType | undefined {
    const type = condition === undefined ? undefined : this.#sources.schema.getType(condition.name.value);
    return isCompositeType(type) ? type : undefined;
  }

  #visitField({ name, selectionSet }: FieldNode, parent: GraphQLCompositeType): void {
    if (name.value === '__typename') return;
    const field = isUnionType(parent) ? undefined : parent.getFields()[name.value];
    if (field === undefined) return this.#restrict({ maxAge: 0 }); // The field belongs to introspection.
    const returned = getNamedType(field.type);
    const types = isCompositeType(returned) ? this.#withPossible(returned) : [];
    for (const type of types) this.#types.add(type);
    if (this.#isGuarded([...types, returned.name])) this.#isPublic = false;
    for (const owner of this.#withPossible(parent)) this.#applyHints(owner, field, parent);
    for (const type of types) if (type !== returned.name) this.#restrict(this.#sources.hints.get(type));
    if (selectionSet !== undefined && isCompositeType(returned)) this.#visitSelections(selectionSet, returned);
  }

  /** Applies the hints of a field on one of the possible types, and of the type that it returns. */
  #applyHints(owner: string, field: GraphQLField<unknown, unknown>, parent: GraphQLCompositeType): void {
    const coordinate = `${owner}.${field.name}`;
    if (this.#isGuarded([owner, coordinate])) this.#isPublic = false;
    const hint = this.#sources.hints.get(coordinate);
    // At runtime, objects replace the interface, and their hints count instead. A hint of the interface can only make the policy stricter.
    if (owner === parent.name && isAbstractType(parent)) return this.#restrict(hint);
    const returned = getNamedType(field.type);
    const ofType = this.#sources.hints.get(returned.name);
    const isRoot = parent === this.#sources.schema.getQueryType();
    const inherits = !isRoot && (!isCompositeType(returned) || hint?.inheritMaxAge === true || ofType?.inheritMaxAge === true);
    const byDefault: CacheHint = inherits ? {} : { maxAge: 0, scope: 'PRIVATE' };
    this.#restrict({ ...byDefault, ...ofType, ...hint });
  }

  #restrict({ maxAge, scope }: CacheHint = {}): void {
    if (maxAge !== undefined && maxAge < this.#maxAge) this.#maxAge = maxAge;
    if (scope === 'PRIVATE') this.#isPublic = false;
  }

  /** Returns the names of a type and of its possible object types. */
  #withPossible(type: GraphQLCompositeType): readonly string[] {
    return isAbstractType(type) ? [type.name, ...this.#sources.schema.getPossibleTypes(type).map(({ name }) => name)] : [type.name];
  }

  #isGuarded(coordinates: readonly string[]): boolean {
    return coordinates.some((coordinate) => this.#sources.authorization.has(coordinate));
  }
}

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}
