import type { PlanField, PlanFragment, PlanSelection } from './operation-plan.ts';
import { textOfTypes } from './type-names.ts';
import type { FieldBuilder, SelectionBuilder, TypedSelection } from './selection-builder.ts';

/** What decides how selections are written down. */
export interface SelectionWriting {
  /**
   * Whether what is asked alike of each of these types may be asked of the abstract type instead.
   *
   * @param fields names of the fields that are asked for
   */
  mayJoin(abstractType: string, types: ReadonlySet<string>, fields: readonly string[]): boolean;
  /** Tells if values of a type can be of an object type in the subgraph. */
  canBeOf(type: string, objectType: string): boolean;
  /** Whether the subgraph would name an interface where the type's name is asked for. */
  isInterfaceObject(type: string): boolean;
  /** Numbers all of this for values of a type: equal for subgraphs of which the answers are the same. */
  knowledgeOf(type: string): number;
}

/** Selections that requests to several subgraphs have, by what decides how they are written. */
export class SharedSelections {
  readonly #written = new Map<SelectionBuilder, Map<string, readonly PlanSelection[]>>();
  readonly #types = new Map<SelectionBuilder, ReadonlySet<string>>();

  /** Finds a selection set that was written for another subgraph with the same knowledge, or writes it. */
  find(builder: SelectionBuilder, writing: SelectionWriting, write: () => readonly PlanSelection[]): readonly PlanSelection[] {
    const id = [...this.#typesIn(builder)].map((type) => writing.knowledgeOf(type)).join();
    let ofBuilder = this.#written.get(builder);
    if (ofBuilder === undefined) this.#written.set(builder, (ofBuilder = new Map()));
    let selections = ofBuilder.get(id);
    if (selections === undefined) ofBuilder.set(id, (selections = write()));
    return selections;
  }

  /** The types of all selection sets in one. */
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

/** Writes the selections of one request. Equal selection sets become one array, so that they are compared by identity. */
export interface SelectionWriter {
  /** Writes a selection set down. Never empty. */
  write(builder: SelectionBuilder): readonly PlanSelection[];
  /** Writes what several fragments of one selection set ask of values of a type that all of them are on. */
  writeTogether(builders: readonly SelectionBuilder[]): readonly PlanSelection[];
}

const TYPENAME = '__typename';

/** A value of which nothing is asked must be asked for something, or nobody would know whether it is there. */
const NOTHING = '__nothing';

export function createSelectionWriter(writing: SelectionWriting, shared: SharedSelections): SelectionWriter {
  const { mayJoin, canBeOf, isInterfaceObject } = writing;
  const written = new Map<SelectionBuilder, readonly PlanSelection[]>();
  /** Each selection set once, by its fields and fragments. */
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
      // Fragments for all types there are can be asked of the abstract type, with the exceptions beside them.
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

  /** Leaves out types that values cannot be of in the subgraph: a selection can be shared with other subgraphs, which know these types. */
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

  /** One fragment for each type. */
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
    // A field can stand there several times, with other selections each time: to unite them would be to write each combination.
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
