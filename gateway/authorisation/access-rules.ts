import { type GraphQLCompositeType, type GraphQLNamedType, type GraphQLSchema, isAbstractType } from 'graphql';
import type { CreatorGrant } from './creator-grant.ts';
import type { Guard } from './requirement.ts';

/** The rules of a supergraph as they are enforced: those of interfaces reach all that implement them. */
export interface CompiledRules {
  /** Whether a coordinate, `Type` or `Type.field`, has a rule of its own or of an interface. */
  has(coordinate: string): boolean;
  /** All must be passed to see a value of the type, wherever it stands. */
  ofType(type: string): readonly Guard[];
  /** All must be passed to see the field, besides those of the type that has it and of the type that it returns. */
  ofField(type: string, field: string): readonly Guard[];
  /** What the caller of a mutation field may read of its result as an owner may. */
  ofCreated(type: string, field: string): CreatorGrant | undefined;
}

/** Names of object types, in one order. */
export type PossibleTypes = readonly string[];

export const NO_TYPES: PossibleTypes = [];

/** Object types that values can be of in a place of a type; those among `around` only, where that is given. */
export function typesWithin(schema: GraphQLSchema, type: GraphQLCompositeType, around?: PossibleTypes): PossibleTypes {
  const all = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
  return (around === undefined ? all : all.filter((name) => around.includes(name))).toSorted();
}

/** Rules as operations meet them: by place, with the types that values can have there. All that are found must be passed. */
export interface AccessRules {
  /** Of a field of values of these types, by the type that has the rule. */
  ofField(parent: GraphQLCompositeType, field: string, types: PossibleTypes): ReadonlyMap<string, readonly Guard[]>;
  /** Of what a field returns, by the type that has the rule. */
  ofValue(type: GraphQLNamedType, types: PossibleTypes): ReadonlyMap<string, readonly Guard[]>;
  /** What the caller of a mutation field may read of its result as an owner may. */
  ofCreated(parent: GraphQLCompositeType, field: string): CreatorGrant | undefined;
}

/**
 * The rules of one public schema. A field of an interface has the rules of all types that values can be of, and what is an
 * interface or a union has the rules of all of its types: what one of them guards is not open by the other. The rules of
 * interfaces are those of their implementations; they count where there is no such type.
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
        // The root is returned by no field: who asks for something of it asks for it.
        return roots.has(type) ? [...rules.ofType(type), ...rules.ofField(type, field)] : rules.ofField(type, field);
      }),
    ofValue: (type, types) => found(types.length > 0 ? types : [type.name], (name) => rules.ofType(name)),
    ofCreated: (parent, field) => rules.ofCreated(parent.name, field),
  };
}
