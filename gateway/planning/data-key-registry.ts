import type { FieldNode } from 'graphql';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
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

export function createDataKeyRegistry({ fieldNames }: FederatedGraph, suffixOf: SuffixTable): DataKeyRegistry {
  const withArguments: Record<string, string> = {};
  const beneathAbstract: Record<string, string> = {};
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  const nameFor = (name: string): string => {
    for (let counter = counters.get(name) ?? 0; ; counter += 1) {
      const key = `${name}_${counter}`;
      if (fieldNames.has(key) || taken.has(key)) continue;
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

/** Suffix that distinguishes fields of one name in one selection, by type and field. Empty for the most common shape. */
export type SuffixTable = (type: string, field: string) => string;

/**
 * Creates the suffixes for a graph. Two fields of one name can have one alias only if their types have the same shape (GraphQL
 * specification, 5.3.2) in each subgraph. Fields with the same shape everywhere need no suffix.
 */
export function createSuffixTable(graph: FederatedGraph): SuffixTable {
  const tables = new Map<string, ReadonlyMap<string, string>>();
  return (type, field) => {
    let table = tables.get(field);
    if (table === undefined) {
      table = compileSuffixes(graph, field);
      tables.set(field, table);
    }
    return table.get(type) ?? '';
  };
}

function compileSuffixes(graph: FederatedGraph, name: string): ReadonlyMap<string, string> {
  const shapes = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const type of graph.types.values()) {
    if (type.kind === 'union' || !type.fields.has(name)) continue;
    const shape = shapeOf(graph, type.name, name);
    shapes.set(type.name, shape);
    if (type.kind === 'object') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const ranked = [...new Set(shapes.values())].sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1),
  );
  const suffixes = new Map<string, string>();
  for (const [type, shape] of shapes) {
    const rank = ranked.indexOf(shape);
    suffixes.set(type, rank === 0 ? '' : freeSuffix(graph, name, rank));
  }
  return suffixes;
}

function freeSuffix({ fieldNames }: FederatedGraph, name: string, rank: number): string {
  let suffix = `__${rank}`;
  while (fieldNames.has(name + suffix)) suffix = `_${suffix}`;
  return suffix;
}

/** Returns the shape of a field, or the shape in each subgraph if the shapes differ. */
function shapeOf(graph: FederatedGraph, typeName: string, name: string): string {
  const type = graph.types.get(typeName);
  const shapes = new Map<string, string>();
  for (const owner of [typeName, ...(type?.interfaces ?? [])]) {
    const found = graph.types.get(owner);
    const field = found?.fields.get(name);
    for (const [subgraph, { type: written, namedType }] of field?.subgraphs ?? []) {
      if (owner !== typeName && found?.subgraphs.get(subgraph)?.isInterfaceObject !== true) continue;
      shapes.set(subgraph, graph.types.has(namedType) ? written.replace(namedType, '{}') : written);
    }
  }
  const [first, ...others] = new Set(shapes.values());
  if (first !== undefined && others.length === 0) return first;
  return [...shapes]
    .map(([subgraph, shape]) => `${subgraph}:${shape}`)
    .sort()
    .join(' ');
}
