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
    // The name `a_` and a number would equal the name `a` and a suffix.
    const stem = name.endsWith('_') ? `${name}x` : name;
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
  for (const [name, ofTypes] of shapes) table.set(name, compileSuffixes(graph, name, ofTypes));
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
function compileSuffixes(graph: WholeGraph, name: string, shapes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const distinct = new Set(shapes.values());
  const counts = new Map<string, number>();
  for (const [type, shape] of shapes) {
    if (graph.types.get(type)?.kind === 'object') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const ranked = [...distinct].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1));
  const suffixes = new Map(ranked.map((shape, rank) => [shape, rank === 0 ? '' : freeSuffix(graph, name, rank)]));
  return new Map(
    [...shapes].flatMap(([type, shape]) => {
      const suffix = suffixes.get(shape) ?? '';
      return suffix === '' ? [] : [[type, suffix] as const];
    }),
  );
}

function freeSuffix({ numberedNames }: FederatedGraph, name: string, rank: number): string {
  let suffix = `__${rank}`;
  while (isUsed(numberedNames, name, suffix)) suffix = `_${suffix}`;
  return suffix;
}

const NUMBER = /^\d+$/;

/** Whether another field has the name with the suffix, or the name with a number, as for a field with arguments, and the suffix. */
function isUsed(numberedNames: ReadonlySet<string>, name: string, suffix: string): boolean {
  if (numberedNames.has(name + suffix)) return true;
  for (const other of numberedNames) {
    if (other.startsWith(`${name}_`) && other.endsWith(suffix) && NUMBER.test(other.slice(name.length + 1, -suffix.length))) return true;
  }
  return false;
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
