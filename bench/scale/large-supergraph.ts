/** Size of a generated supergraph. */
export interface GraphSize {
  readonly name: string;
  readonly subgraphs: number;
  /** Entities, which several subgraphs extend. */
  readonly entities: number;
  /** Object types that belong to one subgraph each. */
  readonly ownTypes: number;
  /** Object types that all subgraphs share. */
  readonly sharedTypes: number;
}

/** Sizes of the report on growth, from 107 to 20,054 types. */
export const SIZES: readonly GraphSize[] = [
  { name: 's10', subgraphs: 10, entities: 30, ownTypes: 72, sharedTypes: 3 },
  { name: 's50', subgraphs: 50, entities: 250, ownTypes: 750, sharedTypes: 7 },
  { name: 's200', subgraphs: 200, entities: 1_200, ownTypes: 3_800, sharedTypes: 22 },
  { name: 's500', subgraphs: 500, entities: 5_000, ownTypes: 15_000, sharedTypes: 52 },
];

/** Share of the entities that a third of all subgraphs extend. */
const HUB_EVERY = 100;
const HUB_SHARE = 0.3;
const EXTENSIONS = 3;

/** Beginning of a supergraph: the schema definition and the definitions of its directives. */
export const SUPERGRAPH_HEAD = `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
{
  query: Query
}

directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA

scalar join__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
`;

/**
 * Writes the supergraph of a large federation: entities with one to three keys, references between them, fields with requirements, hub
 * entities in 30 % of the subgraphs, `Node` implemented by every entity in each of its subgraphs, and value types that all subgraphs share.
 *
 * @param urlOf address of a subgraph
 */
export function writeLargeSupergraph(size: GraphSize, urlOf: (subgraph: number) => string): string {
  const graphs = Array.from({ length: size.subgraphs }, (_, index) => index);
  const parts = [
    SUPERGRAPH_HEAD,
    `enum join__Graph {\n${graphs.map((index) => `  S${index} @join__graph(name: "s${index}", url: "${urlOf(index)}")`).join('\n')}\n}\n`,
  ];
  const everywhere = (): string => graphs.map((index) => `  @join__type(graph: S${index})`).join('\n');
  parts.push(`interface Node\n${everywhere()}\n{\n  id: ID!\n}\n`);
  for (let index = 0; index < size.sharedTypes; index += 1) {
    parts.push(`type Value${index}\n${everywhere()}\n{\n${writeFields(fieldsOfSharedType(index, size))}\n}\n`);
  }
  const roots: string[] = [];
  for (let index = 0; index < size.entities; index += 1) {
    parts.push(writeEntity(index, size));
    const home = homeOf(index, size);
    roots.push(
      `  e${index}(id: ID!): E${index} @join__field(graph: S${home})`,
      `  e${index}List(first: Int): [E${index}!]! @join__field(graph: S${home})`,
    );
  }
  for (let index = 0; index < size.ownTypes; index += 1) parts.push(writeOwnType(index, size));
  roots.push('  ping: String @join__field(graph: S0)');
  parts.push(`type Query\n${everywhere()}\n{\n${roots.join('\n')}\n}\n`);
  return parts.join('\n');
}

/** Returns the subgraph that owns an entity. */
function homeOf(entity: number, { subgraphs }: GraphSize): number {
  return entity % subgraphs;
}

/** Returns the subgraphs that extend an entity. */
function extendersOf(entity: number, { subgraphs }: GraphSize): readonly number[] {
  const home = entity % subgraphs;
  const count = entity % HUB_EVERY === 0 ? Math.max(EXTENSIONS, Math.floor(subgraphs * HUB_SHARE)) : 1 + (entity % EXTENSIONS);
  const extenders = new Set<number>();
  for (let step = 1; extenders.size < Math.min(count, subgraphs - 1); step += 1) {
    const next = (home + step * 7 + entity) % subgraphs;
    if (next !== home) extenders.add(next);
    else extenders.add((next + 1) % subgraphs);
  }
  return [...extenders];
}

/** Returns the subgraphs whose lists contain an entity, some of them several times. */
function referrersOf(entity: number, size: GraphSize): readonly number[] {
  const lists = Math.max(EXTENSIONS, Math.floor(size.subgraphs * HUB_SHARE));
  return Array.from({ length: lists }, (_, position) => {
    const other = (entity - position - 1 + lists * size.entities) % size.entities;
    return extendersOf(other, size)[position];
  }).filter((graph) => graph !== undefined);
}

function keysOf(entity: number): readonly string[] {
  if (entity % HUB_EVERY === 0) return ['id', 'code', 'region slug'];
  return entity % 2 === 0 ? ['id'] : ['id', 'code'];
}

/** Number of items that generated operations request of each list, and that the subgraphs return. */
export const ITEMS_PER_LIST = 2;

/** Field of a generated type. */
export interface GeneratedField {
  readonly name: string;
  /** Arguments of the field as SDL, in parentheses. */
  readonly args?: string;
  /** Type as SDL, for example `[E5!]!`. */
  readonly type: string;
  /** Directives that name the subgraphs of the field. */
  readonly join?: string;
}

/** Results of `fieldsOf` by size and type. */
const knownFields = new Map<string, readonly GeneratedField[]>();

/** Returns the fields of an entity (`E5`), of a type of one subgraph (`O5`) or of a shared type (`Value5`). */
export function fieldsOf(type: string, size: GraphSize): readonly GeneratedField[] {
  const key = `${size.name} ${type}`;
  const known = knownFields.get(key) ?? createFields(type, size);
  knownFields.set(key, known);
  return known;
}

function createFields(type: string, size: GraphSize): readonly GeneratedField[] {
  const [, kind, digits] = /^(E|O|Value)(\d+)$/.exec(type) ?? [];
  const index = Number(digits);
  if (kind === 'E') return fieldsOfEntity(index, size);
  if (kind === 'Value') return fieldsOfSharedType(index, size);
  if (kind === 'O') return OWN_FIELDS;
  throw new Error(`Unknown generated type ${type}.`);
}

/** Returns the name of the type, for example `E5` of `[E5!]!`. */
export function namedTypeOf(type: string): string {
  return type.replaceAll(/[![\]]/g, '');
}

/** Returns whether a type is an object type or a list of objects, such as `[E5!]!`. */
export function isObjectType(type: string): boolean {
  return /^(?:E|O|Value)\d+$/.test(namedTypeOf(type));
}

const OWN_FIELDS: readonly GeneratedField[] = [
  { name: 'id', type: 'ID!' },
  { name: 'title', type: 'String' },
  { name: 'count', type: 'Int' },
  { name: 'isOpen', type: 'Boolean' },
  { name: 'rate', type: 'Float' },
];

function fieldsOfSharedType(index: number, { sharedTypes }: GraphSize): readonly GeneratedField[] {
  const inner = index + 1 < sharedTypes && index % 6 !== 5 ? [{ name: 'inner', type: `Value${index + 1}` }] : [];
  return [{ name: 'amount', type: 'Int' }, { name: 'unit', type: 'String' }, ...inner];
}

function fieldsOfEntity(index: number, size: GraphSize): readonly GeneratedField[] {
  const home = homeOf(index, size);
  const join = `@join__field(graph: S${home})`;
  const keys = keysOf(index);
  const fields: GeneratedField[] = [
    { name: 'id', type: 'ID!' },
    ...keys.slice(1).flatMap((key) => key.split(' ').map((name) => ({ name, type: 'String!', join }))),
    { name: 'name', type: 'String', join },
    { name: 'size', type: `Value${index % size.sharedTypes}`, join },
    { name: 'next', type: `E${(index + size.subgraphs) % size.entities}`, join },
    { name: 'own', type: `O${index % size.ownTypes}`, join },
  ];
  for (const [position, graph] of extendersOf(index, size).entries()) {
    const joinExtender = `@join__field(graph: S${graph})`;
    const next = (index + position + 1) % size.entities;
    fields.push({ name: `x${position}`, type: 'String', join: joinExtender });
    fields.push({ name: `list${position}`, args: '(first: Int)', type: `[E${next}!]!`, join: joinExtender });
    if (position !== 0) continue;
    fields.push({ name: 'weight', type: 'Int', join: `${join} @join__field(graph: S${graph}, external: true)` });
    fields.push({ name: 'cost', type: 'Int', join: `@join__field(graph: S${graph}, requires: "weight")` });
  }
  return fields;
}

function writeFields(fields: readonly GeneratedField[]): string {
  return fields.map(({ name, args = '', type, join }) => `  ${name}${args}: ${type}${join === undefined ? '' : ` ${join}`}`).join('\n');
}

function writeEntity(index: number, size: GraphSize): string {
  const keys = keysOf(index);
  const graphs = [homeOf(index, size), ...extendersOf(index, size)];
  const types = graphs.flatMap((graph, position) =>
    (position === 0 ? keys : keys.slice(0, 1)).map((key) => `  @join__type(graph: S${graph}, key: "${key}")`),
  );
  const nodes = graphs.map((graph) => `  @join__implements(graph: S${graph}, interface: "Node")`);
  // Subgraphs that only refer to the entity declare its key, and cannot resolve it.
  for (const graph of new Set(referrersOf(index, size))) {
    if (!graphs.includes(graph)) types.push(`  @join__type(graph: S${graph}, key: "id", resolvable: false)`);
  }
  const fields = writeFields(fieldsOfEntity(index, size));
  return `type E${index} implements Node\n${nodes.join('\n')}\n${types.join('\n')}\n{\n${fields}\n}\n`;
}

function writeOwnType(index: number, size: GraphSize): string {
  return `type O${index}\n  @join__type(graph: S${index % size.subgraphs})\n{\n${writeFields(OWN_FIELDS)}\n}\n`;
}
