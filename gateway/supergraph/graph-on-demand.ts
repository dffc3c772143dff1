import { Kind, parse } from 'graphql';
import type { FederatedField, FederatedFields, FederatedGraph, FederatedType } from './federated-graph.ts';
import type { GraphOutline } from './graph-outline.ts';
import { parseFieldAt } from './parse-field-at.ts';
import { type CompositeDefinition, isCompositeDefinition } from './possible-types.ts';
import { createTypeReader, type TypeReader } from './read-federated-type.ts';
import { createRangeTable, type NamedRanges, type RangeTable, type TextRange } from './text-ranges.ts';

/** Positions of the types of a supergraph, with facts about the whole supergraph, as data that can be sent between threads. */
export interface GraphIndex extends Pick<FederatedGraph, 'numberedNames' | 'contextFields'> {
  readonly outline: GraphOutline;
  /** Composite types by name, including hidden ones. */
  readonly types: NamedRanges;
  /** Fields of the object types that have a long definition, by the name of the type. */
  readonly fields: ReadonlyMap<string, NamedRanges>;
}

/**
 * Creates a graph whose types are read from the text of the supergraph when they are used, and fields of long types likewise. Operations use
 * few of the types of a large supergraph. The supergraph must have been validated.
 */
export function createGraphOnDemand(sdl: string, { outline, types, fields, numberedNames, contextFields }: GraphIndex): FederatedGraph {
  const known = new Map<string, FederatedType>();
  // The table of a large supergraph takes milliseconds.
  let table: RangeTable | undefined;
  let typeReader: TypeReader | undefined;

  function ranges(): RangeTable {
    table ??= createRangeTable(types);
    return table;
  }

  function read(name: string, range: TextRange): FederatedType {
    const reader = (typeReader ??= createTypeReader(outline));
    const long = fields.get(name);
    const type = long === undefined ? readShort(sdl, range, reader) : readLong(sdl, range, createRangeTable(long), reader);
    known.set(name, type);
    return type;
  }

  return {
    subgraphs: [...outline.subgraphs.values()],
    types: {
      has: (name) => ranges().has(name),
      get(name) {
        const found = known.get(name);
        const range = found === undefined ? ranges().find(name) : undefined;
        return range === undefined ? found : read(name, range);
      },
    },
    roots: outline.roots,
    numberedNames,
    contextFields,
  };
}

function readShort(sdl: string, { start, end }: TextRange, reader: TypeReader): FederatedType {
  const definition = parseComposite(sdl.slice(start, end));
  const subgraphs = reader.readSubgraphs(definition);
  const nodes = definition.kind === Kind.UNION_TYPE_DEFINITION ? [] : (definition.fields ?? []);
  const fields = new Map(nodes.map((node) => [node.name.value, reader.readField(node, definition, subgraphs)]));
  return reader.readType(definition, subgraphs, fields);
}

/** @param ranges positions of the fields */
function readLong(sdl: string, { start, end }: TextRange, ranges: RangeTable, reader: TypeReader): FederatedType {
  const [first = ''] = ranges.names;
  const head = sdl.slice(start, ranges.find(first)?.start ?? end);
  // A definition needs a field.
  const definition = parseComposite(`${head}_: _}`);
  const subgraphs = reader.readSubgraphs(definition);
  const read = (range: TextRange): FederatedField => reader.readField(parseFieldAt(sdl, range), definition, subgraphs);
  return reader.readType(definition, subgraphs, createFieldsOnDemand(ranges, read));
}

function parseComposite(text: string): CompositeDefinition {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition === undefined || !isCompositeDefinition(definition)) throw new Error('The supergraph has no type at its position.');
  return definition;
}

function createFieldsOnDemand(ranges: RangeTable, read: (range: TextRange) => FederatedField): FederatedFields {
  const known = new Map<string, FederatedField>();

  function get(name: string): FederatedField | undefined {
    const found = known.get(name);
    const range = found === undefined ? ranges.find(name) : undefined;
    if (range === undefined) return found;
    const field = read(range);
    known.set(name, field);
    return field;
  }

  return {
    get,
    has: (name) => ranges.has(name),
    keys: () => ranges.names.values(),
    values: () => ranges.names.flatMap((name) => get(name) ?? []).values(),
  };
}
