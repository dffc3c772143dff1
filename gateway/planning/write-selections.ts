import type { PlanField, PlanFragment, PlanSelection } from './operation-plan.ts';
import { textOfTypes } from './type-names.ts';
import type { FieldBuilder, SelectionBuilder, TypedSelection } from './selection-builder.ts';

/** Subgraph properties that determine how selections are written. */
export interface SelectionWriting {
  /**
   * Whether equal selections of these types may be written as selections of the abstract type.
   *
   * @param fields names of the selected fields
   */
  mayJoin(abstractType: string, types: ReadonlySet<string>, fields: readonly string[]): boolean;
  /** Whether values of a type can have an object type in the subgraph. */
  canBeOf(type: string, objectType: string): boolean;
  /** Whether the subgraph would return the name of an interface as `__typename`. */
  isInterfaceObject(type: string): boolean;
  /** Returns the number of these properties for values of a type. Subgraphs with the same properties have equal numbers. */
  knowledgeOf(type: string): number;
}

/** Selections that requests to several subgraphs share, by the properties that determine how they are written. */
export class SharedSelections {
  readonly #written = new Map<SelectionBuilder, Map<string, readonly PlanSelection[]>>();
  readonly #types = new Map<SelectionBuilder, ReadonlySet<string>>();

  /** Returns a selection set that was written for another subgraph with the same type definitions, or writes it. */
  find(builder: SelectionBuilder, writing: SelectionWriting, write: () => readonly PlanSelection[]): readonly PlanSelection[] {
    const id = [...this.#typesIn(builder)].map((type) => writing.knowledgeOf(type)).join();
    let ofBuilder = this.#written.get(builder);
    if (ofBuilder === undefined) this.#written.set(builder, (ofBuilder = new Map()));
    let selections = ofBuilder.get(id);
    if (selections === undefined) ofBuilder.set(id, (selections = write()));
    return selections;
  }

  /** Returns the types of all selection sets in a selection set. */
  #typesIn(builder: SelectionBuilder): ReadonlySet<string> {
    let types = this.#types.get(builder);
    if (types === undefined) {
      const all = new Set([builder.type]);
      const add = (inside: SelectionBuilder | undefined): void => {
        if (inside !== undefined) for (const type of this.#typesIn(inside)) all.add(type);
      };
      for (const { selection } of builder.fields.values()) add(selection);
      for (const { selection } of builder.fragments.values()) add(selection);
      this.#types.set(builder, (types = all));
    }
    return types;
  }
}

/** Writes the selections of one request. Equal selection sets become one array, so that they can be compared by identity. */
export interface SelectionWriter {
  /** Writes a selection set. The result is never empty. */
  write(builder: SelectionBuilder): readonly PlanSelection[];
  /** Writes the selections of several fragments for values of a type that all of them include. */
  writeTogether(builders: readonly SelectionBuilder[]): readonly PlanSelection[];
}

const TYPENAME = '__typename';

/**
 * Alias of `__typename` for values of an interface object without other selections. A selection set must not be empty, because the response
 * must show whether the value exists.
 */
const NOTHING = '__nothing';

export function createSelectionWriter(writing: SelectionWriting, shared: SharedSelections): SelectionWriter {
  const { mayJoin, canBeOf, isInterfaceObject } = writing;
  const written = new Map<SelectionBuilder, readonly PlanSelection[]>();
  /** Selection sets by their fields and fragments, each stored once. */
  const known = new Map<string, readonly PlanSelection[]>();
  const numbers = new Map<readonly PlanSelection[], number>();

  function once(selections: readonly PlanSelection[]): readonly PlanSelection[] {
    const id = JSON.stringify(
      selections.map((selection) => {
        const inside = selection.selections === undefined ? -1 : (numbers.get(selection.selections) ?? -1);
        if (selection.kind === 'fragment') return [selection.type, inside];
        return [selection.key, selection.name, selection.arguments ?? 0, selection.directives ?? 0, selection.valueType ?? 0, inside];
      }),
    );
    const equal = known.get(id);
    if (equal !== undefined) return equal;
    known.set(id, selections);
    numbers.set(selections, numbers.size);
    return selections;
  }

  function write(builder: SelectionBuilder): readonly PlanSelection[] {
    let selections = written.get(builder);
    if (selections === undefined) {
      selections = builder.isShared ? shared.find(builder, writing, () => once(writeNew(builder))) : once(writeNew(builder));
      if (!numbers.has(selections)) numbers.set(selections, numbers.size);
      written.set(builder, selections);
    }
    return selections;
  }

  function writeNew(builder: SelectionBuilder): readonly PlanSelection[] {
    const selections: PlanSelection[] = [...builder.fields.values()].map(writeField);
    const keys = new Set(builder.fields.keys());
    const apart: TypedSelection[] = [];
    for (const written of builder.fragments.values()) {
      const { fields, fragments } = written.selection;
      if (fields.size === 0 && fragments.size === 0) continue;
      const fragment = withKnownTypes(builder, written);
      if (fragment === undefined) continue;
      // Fragments for all possible types can be written as selections of the abstract type, with separate fragments for exceptions.
      if (fragments.size === 0 && isFree(keys, fields.keys()) && joins(builder, fragment.types, fields.values())) {
        selections.push(...[...fields.values()].map(writeField));
        for (const key of fields.keys()) keys.add(key);
      } else {
        apart.push(fragment);
      }
    }
    const typed = writeTypes(apart);
    const [first] = typed;
    const common = first?.selections.filter((selection) => selection.kind === 'field') ?? [];
    const isAlike = first !== undefined && typed.every(({ selections: others }) => others === first.selections);
    const isJoined =
      isAlike &&
      common.length === first.selections.length &&
      isFree(
        keys,
        common.map(({ key }) => key),
      ) &&
      joins(
        builder,
        typed.map(({ type }) => type),
        common,
      );
    selections.push(...(isJoined ? common : typed));
    if (selections.length > 0) return selections;
    return [{ kind: 'field', name: TYPENAME, key: isInterfaceObject(builder.type) ? NOTHING : TYPENAME }];
  }

  /** Removes types that are impossible in the subgraph. A selection can be shared with other subgraphs, which define these types. */
  function withKnownTypes({ type }: SelectionBuilder, fragment: TypedSelection): TypedSelection | undefined {
    if (type === '' || fragment.types.every((name) => canBeOf(type, name))) return fragment;
    const types = fragment.types.filter((name) => canBeOf(type, name));
    return types.length === 0 ? undefined : { types, selection: fragment.selection };
  }

  function joins(builder: SelectionBuilder, types: readonly string[], fields: Iterable<{ readonly name: string }>): boolean {
    return mayJoin(
      builder.type,
      new Set(types),
      [...fields].map(({ name }) => name),
    );
  }

  /** Writes one fragment for each type. */
  function writeTypes(fragments: readonly TypedSelection[]): readonly PlanFragment[] {
    const ofTypes = new Map<string, TypedSelection[]>();
    for (const fragment of fragments) {
      for (const type of fragment.types) {
        const others = ofTypes.get(type);
        if (others === undefined) ofTypes.set(type, [fragment]);
        else others.push(fragment);
      }
    }
    const groups = new Map<string, readonly PlanSelection[]>();
    return [...ofTypes].map(([type, own]): PlanFragment => {
      const id = own.map(({ types }) => textOfTypes(types)).join();
      let selections = groups.get(id);
      if (selections === undefined) groups.set(id, (selections = writeTogether(own.map(({ selection }) => selection))));
      return { kind: 'fragment', type, selections };
    });
  }

  function writeTogether(builders: readonly SelectionBuilder[]): readonly PlanSelection[] {
    const [only, ...others] = builders;
    if (only !== undefined && others.length === 0) return write(only);
    // A field can appear several times with different selections. Merging them would require writing each combination.
    const seen = new Set<string>();
    return once(
      builders.flatMap(write).filter((selection) => {
        if (selection.kind === 'fragment' || selection.selections !== undefined) return true;
        if (seen.has(selection.key)) return false;
        seen.add(selection.key);
        return true;
      }),
    );
  }

  function writeField({ name, key, arguments: given, directives, variables, selection }: FieldBuilder): PlanField {
    return {
      kind: 'field',
      name,
      key,
      ...(given === undefined ? {} : { arguments: given }),
      ...(directives === undefined ? {} : { directives }),
      ...(variables.length === 0 ? {} : { variables }),
      ...(selection === undefined ? {} : { selections: write(selection), valueType: selection.type }),
    };
  }

  return { write, writeTogether };
}

function isFree(taken: ReadonlySet<string>, keys: Iterable<string>): boolean {
  for (const key of keys) if (taken.has(key)) return false;
  return true;
}
