import type { PlanField, PlanFragment, PlanSelection, PlanVariable } from './operation-plan.ts';

/** A selection set of a request, while it is being put together. */
export interface SelectionBuilder {
  /** Type of the values, as the subgraph knows it. */
  readonly type: string;
  /** By data key. */
  readonly fields: Map<string, FieldBuilder>;
  /** By type condition. */
  readonly fragments: Map<string, SelectionBuilder>;
}

export interface FieldBuilder {
  readonly name: string;
  readonly key: string;
  readonly arguments: string | undefined;
  /** Those that the subgraph executes. */
  readonly directives: string | undefined;
  readonly variables: readonly PlanVariable[];
  /** Absent in leaves. */
  readonly selection: SelectionBuilder | undefined;
}

export function createSelectionBuilder(type: string): SelectionBuilder {
  return { type, fields: new Map(), fragments: new Map() };
}

/** The selections for values of one type only. */
export function fragmentOn(builder: SelectionBuilder, type: string): SelectionBuilder {
  if (builder.type === type) return builder;
  let fragment = builder.fragments.get(type);
  if (fragment === undefined) {
    fragment = createSelectionBuilder(type);
    builder.fragments.set(type, fragment);
  }
  return fragment;
}

/** Adds all that another selection set asks for. */
export function mergeSelections(target: SelectionBuilder, source: SelectionBuilder): void {
  for (const [key, field] of source.fields) {
    const known = target.fields.get(key);
    if (known?.selection !== undefined && field.selection !== undefined) mergeSelections(known.selection, field.selection);
    else if (known === undefined) target.fields.set(key, field);
  }
  for (const [type, fragment] of source.fragments) mergeSelections(fragmentOn(target, type), fragment);
}

const TYPENAME = '__typename';

/** Asks for the name of the type. */
export function selectTypename(builder: SelectionBuilder): void {
  if (!builder.fields.has(TYPENAME)) builder.fields.set(TYPENAME, typenameAs(TYPENAME));
}

function typenameAs(key: string): FieldBuilder {
  return { name: TYPENAME, key, arguments: undefined, directives: undefined, variables: [], selection: undefined };
}

/** What decides how selections are written down. */
export interface SelectionWriting {
  /**
   * Whether what is asked alike of each of these types may be asked of the abstract type instead.
   *
   * @param fields names of the fields that are asked for
   */
  mayJoin(abstractType: string, types: ReadonlySet<string>, fields: readonly string[]): boolean;
  /** Whether the subgraph would name an interface where the type's name is asked for. */
  isInterfaceObject(type: string): boolean;
}

/** A value of which nothing is asked must be asked for something, or nobody would know whether it is there. */
const NOTHING = '__nothing';

/** Writes a selection set down. Never empty. */
export function writeSelections(builder: SelectionBuilder, writing: SelectionWriting): readonly PlanSelection[] {
  const fields = [...builder.fields.values()].map((field): PlanField => writeField(field, writing));
  const fragments = [...builder.fragments.values()]
    .filter((fragment) => fragment.fields.size > 0 || fragment.fragments.size > 0)
    .map((fragment): PlanFragment => ({ kind: 'fragment', type: fragment.type, selections: writeSelections(fragment, writing) }));
  const written = [...fields, ...joined(builder, fragments, writing)];
  if (written.length > 0) return written;
  return [{ kind: 'field', name: TYPENAME, key: writing.isInterfaceObject(builder.type) ? NOTHING : TYPENAME }];
}

function writeField(field: FieldBuilder, writing: SelectionWriting): PlanField {
  const { name, key, arguments: given, directives, variables, selection } = field;
  return {
    kind: 'field',
    name,
    key,
    ...(given === undefined ? {} : { arguments: given }),
    ...(directives === undefined ? {} : { directives }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(selection === undefined ? {} : { selections: writeSelections(selection, writing) }),
  };
}

/** One selection set in place of equal fragments for all types there are. */
function joined(builder: SelectionBuilder, fragments: readonly PlanFragment[], { mayJoin }: SelectionWriting): readonly PlanSelection[] {
  const [first, ...others] = fragments;
  if (first === undefined) return [];
  const text = JSON.stringify(first.selections);
  if (others.some(({ selections }) => JSON.stringify(selections) !== text)) return fragments;
  const fields = first.selections.filter((selection) => selection.kind === 'field');
  if (fields.length < first.selections.length || fields.some(({ key }) => builder.fields.has(key))) return fragments;
  const types = new Set(fragments.map(({ type }) => type));
  return mayJoin(
    builder.type,
    types,
    fields.map(({ name }) => name),
  )
    ? fields
    : fragments;
}
