import type { PlanVariable } from './operation-plan.ts';
import { textOfTypes } from './type-names.ts';

/** A selection set of a request, under construction. */
export interface SelectionBuilder {
  /** Type of the values in the subgraph. */
  readonly type: string;
  /** Whether requests to several subgraphs use it. */
  readonly isShared: boolean;
  /** Fields by data key. */
  readonly fields: Map<string, FieldBuilder>;
  /** Selections for values of some object types only, by the names of these types. */
  readonly fragments: Map<string, TypedSelection>;
}

export interface TypedSelection {
  /** Names of object types, without duplicates. */
  readonly types: readonly string[];
  readonly selection: SelectionBuilder;
}

export interface FieldBuilder {
  readonly name: string;
  readonly key: string;
  readonly arguments: string | undefined;
  /** Directives that the subgraph executes. */
  readonly directives: string | undefined;
  readonly variables: readonly PlanVariable[];
  /** Selections of the field; absent for leaves. */
  readonly selection: SelectionBuilder | undefined;
}

export function createSelectionBuilder(type: string, isShared = false): SelectionBuilder {
  return { type, isShared, fields: new Map(), fragments: new Map() };
}

/** Creates a selection set with the same selections for values that have another type in the subgraph. */
export function viewAs({ isShared, fields, fragments }: SelectionBuilder, type: string): SelectionBuilder {
  return { type, isShared, fields, fragments };
}

/**
 * Returns the selections for values of some types only.
 *
 * @param type one of `types`, used to look up fields
 */
export function fragmentOn(builder: SelectionBuilder, type: string, types: readonly string[]): SelectionBuilder {
  if (builder.type === type) return builder;
  const id = textOfTypes(types);
  let fragment = builder.fragments.get(id);
  if (fragment === undefined) {
    fragment = { types, selection: createSelectionBuilder(type) };
    builder.fragments.set(id, fragment);
  }
  return fragment.selection;
}

/** Merges two selection sets. Neither is changed, because both can be part of other selections. */
export function uniteSelections(one: SelectionBuilder, other: SelectionBuilder): SelectionBuilder {
  if (one === other) return one;
  const fields = new Map(one.fields);
  for (const [key, field] of other.fields) {
    const known = fields.get(key);
    if (known === undefined) fields.set(key, field);
    else if (known.selection !== undefined && field.selection !== undefined) {
      fields.set(key, { ...known, selection: uniteSelections(known.selection, field.selection) });
    }
  }
  const fragments = new Map(one.fragments);
  for (const [id, fragment] of other.fragments) {
    const known = fragments.get(id);
    fragments.set(id, known === undefined ? fragment : { ...known, selection: uniteSelections(known.selection, fragment.selection) });
  }
  return { type: one.type, isShared: false, fields, fragments };
}

const TYPENAME = '__typename';

/** Selects the name of the type. */
export function selectTypename(builder: SelectionBuilder): void {
  if (!builder.fields.has(TYPENAME)) builder.fields.set(TYPENAME, typenameAs(TYPENAME));
}

function typenameAs(key: string): FieldBuilder {
  return { name: TYPENAME, key, arguments: undefined, directives: undefined, variables: [], selection: undefined };
}
