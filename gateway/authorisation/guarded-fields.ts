import { type FieldNode, type GraphQLCompositeType, isObjectType, Kind, type SelectionNode } from 'graphql';
import { type Decision, DENIED, FOR_OWNERS, type Guard, type Requirement, UNDECIDED } from './requirement.ts';

/** By object type: names of the fields by which the owner of an object is known. All of them must name the caller. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** What of an answer may not be shown, or not to everybody. */
export interface GuardedFields {
  /** By node: what is denied whatever comes, because nobody asked for it, or what owners of the object may see. */
  readonly fields: ReadonlyMap<FieldNode, GuardedField>;
  /** Objects that their owners may see. */
  readonly objects: Owners;
}

export type GuardedField =
  /** `isUndecided`: nobody could tell whether the caller may see it. */
  { readonly isUndecided: boolean } | { readonly owners: Owners };

/** Adds a name to those of a type. */
export function addOwner(owners: Map<string, Set<string>>, type: string, name: string): void {
  const known = owners.get(type);
  if (known === undefined) owners.set(type, new Set([name]));
  else known.add(name);
}

/** What was decided about a requirement. */
export type Decide = (requirement: Requirement) => Decision;

/** A rule that denies outweighs one of which nobody could tell. */
export function refusalOf(decide: Decide, guards: readonly (readonly Guard[])[]): typeof DENIED | typeof UNDECIDED | undefined {
  let refusal: typeof DENIED | typeof UNDECIDED | undefined;
  // All are asked: the first walk through an operation finds out what there is to be decided.
  for (const { requirement } of guards.flat()) {
    const decided = decide(requirement);
    if (decided === DENIED || (decided === UNDECIDED && refusal === undefined)) refusal = decided;
  }
  return refusal;
}

/** By type: the fields of which the values must name the caller. */
export function ownersIn(decide: Decide, guards: ReadonlyMap<string, readonly Guard[]>): Owners {
  const owners = new Map<string, Set<string>>();
  for (const [type, all] of guards) {
    for (const { requirement, owner } of all) {
      if (owner !== undefined && decide(requirement) === FOR_OWNERS) addOwner(owners, type, owner);
    }
  }
  return owners;
}

/** Begins the alias of a field by which an owner is known. No field begins so, and aliases of clients are not taken for data. */
const OWNER_ALIAS = '__owner_';

/** What must be asked for besides, to know owners. By a name of their own: the client's may stand for something else. */
export function ownerFields(owners: Owners, parent: GraphQLCompositeType): readonly SelectionNode[] {
  return [...owners].flatMap(([type, names]): readonly SelectionNode[] => {
    const fields = [...names].map((name) => fieldNamed(name, `${OWNER_ALIAS}${name}`));
    if (isObjectType(parent)) return fields;
    const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } } as const;
    return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: { kind: Kind.SELECTION_SET, selections: fields } }];
  });
}

export function fieldNamed(name: string, alias?: string): FieldNode {
  const field: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } };
  return alias === undefined ? field : { ...field, alias: { kind: Kind.NAME, value: alias } };
}
