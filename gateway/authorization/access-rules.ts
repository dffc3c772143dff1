import { type GraphQLCompositeType, type GraphQLNamedType, type GraphQLSchema, isAbstractType } from 'graphql';
import type { CreatorGrant } from './creator-grant.ts';
import type { UnclearRule } from './interface-rules.ts';
import type { Guard } from './requirement.ts';

/** Rules of a supergraph as they are enforced. The rules of interfaces apply to all types that implement them. */
export interface CompiledRules {
  /** Rules of interfaces that are not enforced for some implementations, because composition may have generated them. */
  readonly unclear: readonly UnclearRule[];
  /** Whether a coordinate, `Type` or `Type.field`, has a rule itself or from an interface. */
  has(coordinate: string): boolean;
  /** Returns the guards that a caller must pass to read a value of the type at any position. */
  ofType(type: string): readonly Guard[];
  /** Returns the guards that a caller must pass to read the field, in addition to those of its parent type and its return type. */
  ofField(type: string, field: string): readonly Guard[];
  /** Returns the fields of a mutation result that the caller of the mutation may read as an owner. */
  ofCreated(type: string, field: string): CreatorGrant | undefined;
}

/** Names of object types, sorted. */
export type PossibleTypes = readonly string[];

export const NO_TYPES: PossibleTypes = [];

/** Returns the object types that values of a type can have, optionally restricted to `around`. */
export function typesWithin(schema: GraphQLSchema, type: GraphQLCompositeType, around?: PossibleTypes): PossibleTypes {
  const all = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
  return (around === undefined ? all : all.filter((name) => around.includes(name))).toSorted();
}

/** Rules that apply to an operation, by type and by the possible types at a position. A caller must pass all returned guards. */
export interface AccessRules {
  /** Returns the guards of a field of values with these types, by the type that defines the rule. */
  ofField(parent: GraphQLCompositeType, field: string, types: PossibleTypes): ReadonlyMap<string, readonly Guard[]>;
  /** Returns the guards of the values that a field returns, by the type that defines the rule. */
  ofValue(type: GraphQLNamedType, types: PossibleTypes): ReadonlyMap<string, readonly Guard[]>;
  /** Returns the fields of a mutation result that the caller of the mutation may read as an owner. */
  ofCreated(parent: GraphQLCompositeType, field: string): CreatorGrant | undefined;
}

/**
 * Creates the rules for a public schema. A field of an interface has the rules of all possible types. An interface or a union has the rules
 * of all of its types, so that data that one type guards is not accessible through another. The rules of interfaces are included in those
 * of their implementations; they are used directly only if no type implements the interface.
 */
export function createAccessRules(schema: GraphQLSchema, rules: CompiledRules): AccessRules {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type?.name));

  function found(names: Iterable<string>, guardsOf: (type: string) => readonly Guard[]): ReadonlyMap<string, readonly Guard[]> {
    const guards = new Map<string, readonly Guard[]>();
    for (const name of names) {
      const all = guardsOf(name);
      if (all.length > 0) guards.set(name, all);
    }
    return guards;
  }

  return {
    ofField: (parent, field, types) =>
      found(types.length > 0 ? types : [parent.name], (type) => {
        // No field returns the root type, so its rules apply to each of its fields.
        return roots.has(type) ? [...rules.ofType(type), ...rules.ofField(type, field)] : rules.ofField(type, field);
      }),
    ofValue: (type, types) => found(types.length > 0 ? types : [type.name], (name) => rules.ofType(name)),
    ofCreated: (parent, field) => rules.ofCreated(parent.name, field),
  };
}
