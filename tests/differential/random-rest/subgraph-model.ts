import { Kind, type SelectionSetNode, type TypeNode } from 'graphql';
import type { FieldFacts, SubgraphFacts, TypeFacts } from '../random-federation/read-facts.ts';

/** Facts from which the connectors of a subgraph are derived. */
export interface SubgraphModel {
  readonly facts: SubgraphFacts;
  readonly seed: number;
  typeOf(name: string): TypeFacts | undefined;
  /** Keys by which representations of a type may enter. */
  resolvableKeys(type: string): readonly SelectionSetNode[];
  /** Object types of a composite type. */
  membersOf(type: string): readonly string[];
  /** Returns the types of the arguments of a field by name. */
  argumentTypes(type: string, field: string): ReadonlyMap<string, TypeNode>;
  /** Whether a field is part of a key, or is provided somewhere. Connectors select such fields instead of resolving them separately. */
  isReferenced(type: string, field: string): boolean;
}

export function isRoot(type: string): boolean {
  return type === 'Query' || type === 'Mutation';
}

/** Reads the model of a subgraph. */
export function createSubgraphModel(facts: SubgraphFacts, seed: number): SubgraphModel {
  const { types } = facts;
  const referenced = new Set<string>();
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) referenced.add(selection.name.value);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) collect(selection.selectionSet);
    }
  };
  for (const type of types.values()) {
    for (const { fields } of type.keys) collect(fields);
    for (const { provides } of type.fields.values()) collect(provides);
  }
  return {
    facts,
    seed,
    typeOf: (name) => types.get(name),
    resolvableKeys: (name) => (types.get(name)?.keys ?? []).filter(({ isResolvable }) => isResolvable).map(({ fields }) => fields),
    membersOf(name) {
      const type = types.get(name);
      if (type?.kind === 'union') return type.members;
      if (type?.kind !== 'interface') return type === undefined ? [] : [name];
      return [...types.values()]
        .filter(({ kind, interfaces }) => kind === 'object' && interfaces.includes(name))
        .map((found) => found.name);
    },
    argumentTypes(type, field) {
      const found = facts.document.definitions.flatMap((definition) => {
        if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || definition.name.value !== type) return [];
        return (definition.fields ?? []).filter(({ name }) => name.value === field).flatMap((node) => node.arguments ?? []);
      });
      return new Map(found.map((argument) => [argument.name.value, argument.type]));
    },
    isReferenced: (_type, field) => referenced.has(field),
  };
}

/** Merges selections of the same object. */
export function mergeSelections(...sets: readonly (SelectionSetNode | undefined)[]): SelectionSetNode | undefined {
  const selections = sets.flatMap((set) => set?.selections ?? []);
  return selections.length === 0 ? undefined : { kind: Kind.SELECTION_SET, selections };
}

/** Returns the fields of a selection by name, with what is selected inside. Fragments on other types do not apply. */
export function fieldsIn(
  set: SelectionSetNode | undefined,
  applies: (condition: string) => boolean,
): ReadonlyMap<string, SelectionSetNode | undefined> {
  const fields = new Map<string, SelectionSetNode | undefined>();
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      fields.set(selection.name.value, mergeSelections(fields.get(selection.name.value), selection.selectionSet));
    } else if (selection.kind === Kind.INLINE_FRAGMENT && applies(selection.typeCondition?.name.value ?? '')) {
      for (const [name, inside] of fieldsIn(selection.selectionSet, applies)) fields.set(name, mergeSelections(fields.get(name), inside));
    }
  }
  return fields;
}

/** Whether a field needs its own connector: it has arguments, or is computed from fields of other subgraphs. */
export function needsConnector({ argumentNames, requires }: FieldFacts): boolean {
  return argumentNames.length > 0 || requires !== undefined;
}
