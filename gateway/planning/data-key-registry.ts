import type { FieldNode } from 'graphql';
import type { FederatedField, FederatedGraph, FederatedType, FieldInSubgraph, WholeGraph } from '../supergraph/federated-graph.ts';
import { printFieldKey } from './data-keys.ts';
import type { DataKeys } from './operation-plan.ts';

/** Assigns data keys to the fields of one plan. */
export interface DataKeyRegistry {
  /** Returns the data key of a field. @param type the object type that has the field, or the interface if no object types are known */
  keyOf(field: FieldNode, type: string, isBeneathAbstract: boolean): string;
  /** Whether a field has the same data key for several object types beneath an abstract position. */
  haveOneKey(field: string, types: readonly string[]): boolean;
  /** Records the data keys of a field beneath an abstract position for several object types that are planned as one. */
  noteTypes(field: string, types: readonly string[]): void;
  readonly keys: DataKeys;
}

export function createDataKeyRegistry({ numberedNames }: FederatedGraph, suffixOf: SuffixOf): DataKeyRegistry {
  const withArguments: Record<string, string> = {};
  const beneathAbstract: Record<string, string> = {};
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  const nameFor = (name: string): string => {
    const stem = stemOf(name);
    for (let counter = counters.get(name) ?? 0; ; counter += 1) {
      const key = `${stem}_${counter}`;
      if (numberedNames.has(key) || taken.has(key)) continue;
      taken.add(key);
      counters.set(name, counter + 1);
      return key;
    }
  };
  return {
    keyOf(field, type, isBeneathAbstract) {
      const requested = printFieldKey(field);
      const base = requested === field.name.value ? requested : (withArguments[requested] ??= nameFor(field.name.value));
      if (!isBeneathAbstract) return base;
      const suffix = suffixOf(type, field.name.value);
      if (suffix !== '') beneathAbstract[`${type}.${field.name.value}`] = suffix;
      return base + suffix;
    },
    haveOneKey(field, types) {
      const [first = ''] = types;
      const suffix = suffixOf(first, field);
      return types.every((type) => suffixOf(type, field) === suffix);
    },
    noteTypes(field, types) {
      for (const type of types) {
        const suffix = suffixOf(type, field);
        if (suffix !== '') beneathAbstract[`${type}.${field}`] = suffix;
      }
    },
    keys: { withArguments, beneathAbstract },
  };
}

/** Returns the start of the names for a field with arguments. The name `a_` and a number would equal the name `a` and a suffix. */
function stemOf(name: string): string {
  return name.endsWith('_') ? `${name}x` : name;
}

/** Returns the suffix that distinguishes fields of one name in one selection. Empty for the most common shape. */
export type SuffixOf = (type: string, field: string) => string;

/** Suffixes by field and type, as data that can be sent between threads. Fields and types without a suffix are absent. */
export type SuffixTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Creates the function that returns the suffixes of a table. */
export function createSuffixOf(table: SuffixTable): SuffixOf {
  return (type, field) => table.get(field)?.get(type) ?? '';
}

/**
 * Creates the suffixes for a graph. Two fields of one name can have one alias only if their types have the same shape (GraphQL
 * specification, 5.3.2) in each subgraph. Fields with the same shape everywhere need no suffix.
 */
export function createSuffixTable(graph: WholeGraph): SuffixTable {
  const shapes = shapesOfAmbiguous(graph);
  const table = new Map<string, ReadonlyMap<string, string>>();
  const takeSuffix = createSuffixes(graph.numberedNames);
  for (const [name, ofTypes] of shapes) {
    const suffixes = compileSuffixes(graph, ofTypes, (rank) => takeSuffix(name, rank));
    table.set(name, suffixes);
  }
  return table;
}

/** Returns the shapes of the fields with several shapes, by name and type. Nearly all fields have one shape. */
function shapesOfAmbiguous(graph: WholeGraph): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const toShape = createToShape(graph);
  const first = new Map<string, string>();
  const ambiguous = new Set<string>();
  forEachField(graph, (_type, name, sources) => {
    const shape = toShape(sources, name);
    const known = first.get(name);
    if (known === undefined) first.set(name, shape);
    else if (known !== shape) ambiguous.add(name);
  });
  const shapes = new Map([...ambiguous].map((name) => [name, new Map<string, string>()]));
  if (ambiguous.size > 0) forEachField(graph, (type, name, sources) => void shapes.get(name)?.set(type.name, toShape(sources, name)));
  return shapes;
}

/** Definitions of the fields of a type: of the type itself, and of interfaces that subgraphs define as objects. */
type FieldSources = readonly { readonly type: FederatedType; readonly isIncluded: (subgraph: string) => boolean }[];

function forEachField({ types }: WholeGraph, visit: (type: FederatedType, name: string, sources: FieldSources) => void): void {
  for (const type of types.values()) {
    if (type.kind === 'union') continue;
    const owners = type.interfaces.flatMap((owner) => types.get(owner) ?? []).filter(isInterfaceObject);
    const sources: FieldSources = [
      { type, isIncluded: () => true },
      ...owners.map((owner) => ({
        type: owner,
        isIncluded: (subgraph: string) => owner.subgraphs.get(subgraph)?.isInterfaceObject === true,
      })),
    ];
    for (const name of type.fields.keys()) visit(type, name, sources);
  }
}

function isInterfaceObject({ subgraphs }: FederatedType): boolean {
  for (const here of subgraphs.values()) if (here.isInterfaceObject) return true;
  return false;
}

/** @param shapes shapes of the field by type */
function compileSuffixes(
  graph: WholeGraph,
  shapes: ReadonlyMap<string, string>,
  takeSuffix: (rank: number) => string,
): ReadonlyMap<string, string> {
  const distinct = new Set(shapes.values());
  const counts = new Map<string, number>();
  for (const [type, shape] of shapes) {
    if (graph.types.get(type)?.kind === 'object') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const ranked = [...distinct].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1));
  const suffixes = new Map(ranked.map((shape, rank) => [shape, rank === 0 ? '' : takeSuffix(rank)]));
  return new Map(
    [...shapes].flatMap(([type, shape]) => {
      const suffix = suffixes.get(shape) ?? '';
      return suffix === '' ? [] : [[type, suffix] as const];
    }),
  );
}

/** Matches a key that could be the name of a field with arguments, and a suffix: `a_0__1`. */
const NUMBERED_KEY = /^(?<stem>.*[^_])_\d+(?<suffix>__+\d+)$/;

/**
 * Creates the function that returns the suffix of a field for a rank of its shapes. No two fields of the graph have equal keys:
 *
 * - A key without a suffix is the name of a field, or a stem and a number, which is not the name of a field. No stem ends with an
 *   underscore, so the number follows a single one, and a suffix begins with at least two.
 * - A key with a suffix begins with the name of a field, or with a stem and a number. A name can end with underscores: `a` with `___1` and
 *   `a_` with `__1` would be equal. Therefore the function records all keys with the suffixes that it returns, with `#` for any number, and
 *   gives a suffix more underscores until its keys are neither recorded nor names of fields.
 */
function createSuffixes(numberedNames: ReadonlySet<string>): (name: string, rank: number) => string {
  const keys = new Set(numberedNames);
  const keysWithNumber = new Set([...numberedNames].map(withAnyNumber));
  const keysOfStems = new Set<string>();
  return (name, rank) => {
    for (let suffix = `__${rank}`; ; suffix = `_${suffix}`) {
      const key = name + suffix;
      const keyOfStem = `${stemOf(name)}_#${suffix}`;
      // The name `a_0` needs no comparison with the stem `a`, which never gets its number.
      const keyWithNumber = name.endsWith('_') ? withAnyNumber(key) : key;
      if (keys.has(key) || keysWithNumber.has(keyOfStem) || keysOfStems.has(keyWithNumber)) continue;
      keys.add(key);
      keysWithNumber.add(keyWithNumber);
      keysOfStems.add(keyOfStem);
      return suffix;
    }
  };
}

function withAnyNumber(key: string): string {
  return key.replace(NUMBERED_KEY, '$<stem>_#$<suffix>');
}

/** Creates the function that returns the shape of a field, or the shape in each subgraph if the shapes differ. */
function createToShape({ types }: WholeGraph): (sources: FieldSources, name: string) => string {
  const known = new Map<string, string>();
  const shapeIn = ({ type, namedType }: FieldInSubgraph): string => {
    let shape = known.get(type);
    if (shape === undefined) known.set(type, (shape = types.has(namedType) ? type.replace(namedType, '{}') : type));
    return shape;
  };
  const onlyShape = (subgraphs: FederatedField['subgraphs']): string | undefined => {
    let only: FieldInSubgraph | undefined;
    // Subgraphs mostly share one object.
    for (const field of subgraphs.values()) {
      if (only !== undefined && only !== field && only.type !== field.type) return undefined;
      only = field;
    }
    return only && shapeIn(only);
  };

  return (sources, name) => {
    const [own] = sources;
    const only = sources.length === 1 && own !== undefined ? onlyShape(own.type.fields.get(name)?.subgraphs ?? NO_SUBGRAPHS) : undefined;
    if (only !== undefined) return only;
    const shapes = new Map<string, string>();
    for (const { type, isIncluded } of sources) {
      for (const [subgraph, field] of type.fields.get(name)?.subgraphs ?? [])
        if (isIncluded(subgraph)) shapes.set(subgraph, shapeIn(field));
    }
    const [first, ...others] = new Set(shapes.values());
    if (first !== undefined && others.length === 0) return first;
    return [...shapes]
      .map(([subgraph, shape]) => `${subgraph}:${shape}`)
      .sort()
      .join(' ');
  };
}

const NO_SUBGRAPHS: FederatedField['subgraphs'] = new Map();
