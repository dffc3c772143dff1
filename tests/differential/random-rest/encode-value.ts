import type { FieldFacts } from '../random-federation/read-facts.ts';
import type { WorldNode, WorldValue } from '../random-federation/world-values.ts';
import type { LeafFormat, RestField, RestObject, RestValue } from './rest-value.ts';

/** How the fields of objects are read. */
export interface ReadField {
  /** Returns the name that the subgraph has for the type of a node. */
  typeOf(node: WorldNode): string;
  isNode(value: unknown): value is WorldNode;
  read(node: WorldNode, type: string, field: FieldFacts): WorldValue;
}

/** Converts a value of the world to the JSON of a back end. */
export function encodeValue(rest: RestValue, value: WorldValue, reader: ReadField): unknown {
  if (value === null) return null;
  if (rest.kind === 'leaf') return encodeLeaf(rest.format, value, rest.lists);
  if (Array.isArray(value)) return value.map((item: WorldValue) => encodeValue(rest, item, reader));
  if (!reader.isNode(value)) return value;
  const node = value;
  if (rest.kind === 'object') return encodeObject(rest.object, node, reader);
  const type = reader.typeOf(node);
  const member = rest.members.find(({ object }) => object.type === type);
  if (member === undefined) throw new Error(`${type} is no possible type.`);
  return { ...encodeObject(member.object, node, reader), [rest.tag]: member.value };
}

function encodeObject(object: RestObject, node: WorldNode, reader: ReadField): Record<string, unknown> {
  // Properties with the names of fields show whether the mapping reads the property that it names.
  const target: Record<string, unknown> = { __typename: 'decoy', decoy: [] };
  for (const { facts } of object.fields) target[facts.name] = 'decoy';
  const written = new Set<string>();
  addFields({ target, prefix: '', written }, object, node, reader);
  return target;
}

interface Target {
  readonly target: Record<string, unknown>;
  readonly prefix: string;
  /** Names of properties without a decoy. */
  readonly written: Set<string>;
}

function addFields(at: Target, { type, fields }: RestObject, node: WorldNode, reader: ReadField): void {
  for (const field of fields) addField(at, field, reader.read(node, type, field.facts), reader);
}

function addField(
  { target, prefix, written }: Target,
  { path, isFlat, value: rest }: RestField,
  value: WorldValue,
  reader: ReadField,
): void {
  const [first = '', ...others] = path;
  const name = `${prefix}${first}`;
  if (isFlat && rest.kind === 'object' && reader.isNode(value)) {
    addFields({ target, prefix: name, written }, rest.object, value, reader);
    return;
  }
  const encoded = encodeValue(rest, value, reader);
  const last = others.at(-1);
  if (last === undefined) {
    target[name] = encoded;
    written.add(name);
    return;
  }
  if (!written.has(name)) target[name] = {};
  written.add(name);
  let inner = target[name] as Record<string, unknown>;
  for (const step of others.slice(0, -1)) inner = (inner[step] ??= {}) as Record<string, unknown>;
  inner[last] = encoded;
}

function encodeLeaf(format: LeafFormat, value: unknown, lists: number): unknown {
  if (value === null || value === undefined) return null;
  if (lists > 0) return Array.isArray(value) ? value.map((item: unknown) => encodeLeaf(format, item, lists - 1)) : value;
  switch (format.kind) {
    case 'same':
      return value;
    case 'json text':
      return JSON.stringify(value);
    case 'digits':
      return JSON.stringify(value);
    case 'renamed':
      break;
  }
  return format.values.find(([schema]) => schema === value)?.[1] ?? value;
}
