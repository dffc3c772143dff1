import { type FieldNode, type GraphQLCompositeType, isObjectType, Kind, type SelectionNode } from 'graphql';
import { type Decision, DENIED, FOR_OWNERS, type Guard, type Requirement, UNDECIDED } from './requirement.ts';

/** Names of the fields that identify the owner of an object, by object type. All of them must identify the caller. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** Parts of a result that are hidden from all callers or from some. */
export interface GuardedFields {
  /** Guards by node: fields that are always denied, because they were not fetched, or fields that only owners of the object may read. */
  readonly fields: ReadonlyMap<FieldNode, GuardedField>;
  /** Objects that only their owners may read. */
  readonly objects: Owners;
}

export type GuardedField =
  /** `isUndecided`: the gateway could not determine whether the caller has permission. */
  { readonly isUndecided: boolean } | { readonly owners: Owners };

/** Adds a name to the names of a type. */
export function addOwner(owners: Map<string, Set<string>>, type: string, name: string): void {
  const known = owners.get(type);
  if (known === undefined) owners.set(type, new Set([name]));
  else known.add(name);
}

/** Returns the decision about a requirement. */
export type Decide = (requirement: Requirement) => Decision;

/** Returns the decision that rejects a field, if any. A denial takes precedence over an undecided rule. */
export function denialOf(decide: Decide, guards: readonly (readonly Guard[])[]): typeof DENIED | typeof UNDECIDED | undefined {
  let error: typeof DENIED | typeof UNDECIDED | undefined;
  // All requirements are evaluated, because the first walk through an operation collects them.
  for (const { requirement } of guards.flat()) {
    const decided = decide(requirement);
    if (decided === DENIED || (decided === UNDECIDED && error === undefined)) error = decided;
  }
  return error;
}

/** Returns the fields whose values must identify the caller, by type. */
export function ownersIn(decide: Decide, guards: ReadonlyMap<string, readonly Guard[]>): Owners {
  const owners = new Map<string, Set<string>>();
  for (const [type, all] of guards) {
    for (const { requirement, owner } of all) {
      if (owner !== undefined && decide(requirement) === FOR_OWNERS) addOwner(owners, type, owner);
    }
  }
  return owners;
}

/** Prefix of the alias of a field that identifies an owner. No field begins with it, and clients' aliases are not used as data keys. */
const OWNER_ALIAS = '__owner_';

/**
 * Returns the additional fields that are needed to identify owners. They have a separate alias, because the client's alias may refer to
 * another field.
 */
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
