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

const HEAD = `schema
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
    HEAD,
    `enum join__Graph {\n${graphs.map((index) => `  S${index} @join__graph(name: "s${index}", url: "${urlOf(index)}")`).join('\n')}\n}\n`,
  ];
  const everywhere = (): string => graphs.map((index) => `  @join__type(graph: S${index})`).join('\n');
  parts.push(`interface Node\n${everywhere()}\n{\n  id: ID!\n}\n`);
  for (let index = 0; index < size.sharedTypes; index += 1) {
    const inner = index + 1 < size.sharedTypes && index % 6 !== 5 ? `  inner: Value${index + 1}\n` : '';
    parts.push(`type Value${index}\n${everywhere()}\n{\n  amount: Int\n  unit: String\n${inner}}\n`);
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
export function extendersOf(entity: number, { subgraphs }: GraphSize): readonly number[] {
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

function writeEntity(index: number, size: GraphSize): string {
  const home = homeOf(index, size);
  const extenders = extendersOf(index, size);
  const keys = keysOf(index);
  const graphs = [home, ...extenders];
  const types = graphs.flatMap((graph, position) =>
    (position === 0 ? keys : keys.slice(0, 1)).map((key) => `  @join__type(graph: S${graph}, key: "${key}")`),
  );
  const nodes = graphs.map((graph) => `  @join__implements(graph: S${graph}, interface: "Node")`);
  const own = `@join__field(graph: S${home})`;
  const next = (index + size.subgraphs) % size.entities;
  const fields = [
    '  id: ID!',
    ...(keys.length > 1 ? [`  code: String! ${own}`] : []),
    ...(keys.length > 2 ? [`  region: String! ${own}`, `  slug: String! ${own}`] : []),
    `  name: String ${own}`,
    `  size: Value${index % size.sharedTypes} ${own}`,
    `  next: E${next} ${own}`,
    `  own: O${index % size.ownTypes} ${own}`,
  ];
  for (const [position, graph] of extenders.entries()) {
    fields.push(`  x${position}: String @join__field(graph: S${graph})`);
    fields.push(`  list${position}(first: Int): [E${(index + position + 1) % size.entities}!]! @join__field(graph: S${graph})`);
    if (position !== 0) continue;
    fields.push(`  weight: Int @join__field(graph: S${home}) @join__field(graph: S${graph}, external: true)`);
    fields.push(`  cost: Int @join__field(graph: S${graph}, requires: "weight")`);
  }
  // Subgraphs that only refer to the entity declare its key, and cannot resolve it.
  for (const graph of new Set(referrersOf(index, size))) {
    if (!graphs.includes(graph)) types.push(`  @join__type(graph: S${graph}, key: "id", resolvable: false)`);
  }
  return `type E${index} implements Node\n${nodes.join('\n')}\n${types.join('\n')}\n{\n${fields.join('\n')}\n}\n`;
}

function writeOwnType(index: number, size: GraphSize): string {
  const graph = index % size.subgraphs;
  const fields = ['id: ID!', 'title: String', 'count: Int', 'isOpen: Boolean', 'rate: Float'].map((field) => `  ${field}`);
  return `type O${index}\n  @join__type(graph: S${graph})\n{\n${fields.join('\n')}\n}\n`;
}
