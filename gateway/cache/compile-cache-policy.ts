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

/** The policy of an operation, and what its answers are made of. */
export interface OperationCachePolicy extends CachePolicy {
  /** Names of all object types, interfaces and unions that an answer can show: what it is invalidated by. */
  readonly types: readonly string[];
}

/** What policies are compiled from; the same for all operations of a supergraph. */
export interface CachePolicySources {
  /** The public schema. */
  readonly schema: GraphQLSchema;
  readonly hints: CacheHints;
  /** Whether a type or a field is guarded, by its coordinate. */
  readonly authorisation: { has(coordinate: string): boolean };
}

/** @returns undefined where no answer may be kept: mutations, introspection, and whatever has a field without a hint that needs one */
export type CachePolicyOf = (document: DocumentNode) => OperationCachePolicy | undefined;

/**
 * Compiles policies by the rules that Apollo Server documents ("Server-side caching"): root fields, and fields that return objects, are
 * not fresh unless a hint on the field or on its type says so; other fields are as fresh as what they stand in; the strictest hint
 * holds for the whole answer. Fields under `@skip` and `@include` count whether they are on or off.
 *
 * Stricter than there in two points. An answer is public only where every field that returns objects is said to be, and none is
 * guarded by a rule of authorisation. And where an interface or a union is asked for, the hints of all types that may come count.
 */
export function createCachePolicyCompiler(sources: CachePolicySources): CachePolicyOf {
  return (document) => {
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const root = sources.schema.getQueryType();
    if (operation?.operation !== OperationTypeNode.QUERY || root === null || root === undefined) return undefined;
    return new PolicyWalk(sources, fragmentsOf(document)).walk(operation, root);
  };
}

/** @param selections of an `_entities` field. @returns undefined where no entity may be kept */
export type EntityPolicyOf = (selections: SelectionSetNode) => OperationCachePolicy | undefined;

/**
 * The same for what a subgraph is asked about entities: each counts as if a field without a hint had returned it, so its type must
 * say how long it stays fresh. What the public schema does not have is never kept.
 */
export function createEntityPolicyCompiler(sources: CachePolicySources): EntityPolicyOf {
  return (selections) => new PolicyWalk(sources, new Map()).walkEntities(selections);
}

class PolicyWalk {
  readonly #sources: CachePolicySources;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #types = new Set<string>();
  /** Fragments that were walked through: a second time they say nothing new. */
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
    if (field === undefined) return this.#restrict({ maxAge: 0 }); // introspection
    const returned = getNamedType(field.type);
    const types = isCompositeType(returned) ? this.#withPossible(returned) : [];
    for (const type of types) this.#types.add(type);
    if (this.#isGuarded([...types, returned.name])) this.#isPublic = false;
    for (const owner of this.#withPossible(parent)) this.#applyHints(owner, field, parent);
    for (const type of types) if (type !== returned.name) this.#restrict(this.#sources.hints.get(type));
    if (selectionSet !== undefined && isCompositeType(returned)) this.#visitSelections(selectionSet, returned);
  }

  /** What a field of one of the types that may stand there says, with the hint of the type that it returns. */
  #applyHints(owner: string, field: GraphQLField<unknown, unknown>, parent: GraphQLCompositeType): void {
    const coordinate = `${owner}.${field.name}`;
    if (this.#isGuarded([owner, coordinate])) this.#isPublic = false;
    const hint = this.#sources.hints.get(coordinate);
    // Behind an interface stand objects, whose hints count instead; what it says itself can only be stricter.
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

  /** A type, and the types of the objects that can stand for it. */
  #withPossible(type: GraphQLCompositeType): readonly string[] {
    return isAbstractType(type) ? [type.name, ...this.#sources.schema.getPossibleTypes(type).map(({ name }) => name)] : [type.name];
  }

  #isGuarded(coordinates: readonly string[]): boolean {
    return coordinates.some((coordinate) => this.#sources.authorisation.has(coordinate));
  }
}

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}
