import { createRandom, type Random } from '../../support/random/random.ts';

/** SDL of a subgraph. */
export interface GeneratedSubgraph {
  readonly name: string;
  readonly sdl: string;
}

/** Pagination styles of common APIs, and the list without pages. */
const LIST_STYLES = ['list', 'first', 'limit', 'size', 'pageSize', 'connection', 'items'] as const;

type ListStyle = (typeof LIST_STYLES)[number];

/**
 * Generates subgraphs that each define one entity, contribute fields to others, and refer to others by single values and lists. No field
 * has `@listSize` or `@cost`, as in most graphs.
 */
export function generateLargeGraph(count: number, seed: number): readonly GeneratedSubgraph[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => ({ name: `service${index}`, sdl: writeSubgraph(index, count, random) }));
}

function writeSubgraph(index: number, count: number, random: Random): string {
  const own = `Type${index}`;
  const others = new Map<string, readonly string[]>();
  const pages = new Set<string>([own]);
  const other = (): string => {
    const type = `Type${random.below(count)}`;
    if (type !== own && !others.has(type)) others.set(type, []);
    return type;
  };
  const listOf = (name: string, type: string): string => {
    const style = random.pick(LIST_STYLES);
    if (style === 'connection' || style === 'items') pages.add(type);
    return writeList(name, type, { style, index });
  };
  const references = Array.from({ length: 2 + random.below(3) }, (_, n) =>
    random.chance(0.3) ? `ref${n}: ${other()}` : listOf(`many${n}`, other()),
  );
  for (let contributed = random.below(3); contributed > 0; contributed -= 1) {
    const type = other();
    if (type !== own) others.set(type, [`note${index}: String`, listOf(`related${index}`, own)]);
  }
  const fields = ['id: ID!', 'name: String', 'score: Int', 'tags: [String!]!', ...references];
  return [
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])',
    `type Query { one${index}(id: ID!): ${own} ${listOf(`all${index}`, own)} ${listOf(`found${index}`, own)} }`,
    `type ${own} @key(fields: "id") { ${fields.join(' ')} }`,
    ...[...others].map(([type, contributed]) =>
      contributed.length === 0
        ? `type ${type} @key(fields: "id", resolvable: false) { id: ID! }`
        : `type ${type} @key(fields: "id") { id: ID! ${contributed.join(' ')} }`,
    ),
    ...[...pages].map((type) => writePage(index, type)),
  ].join('\n');
}

function writeList(name: string, type: string, { style, index }: { readonly style: ListStyle; readonly index: number }): string {
  if (style === 'list') return `${name}: [${type}!]!`;
  if (style === 'connection') return `${name}(first: Int = 20, after: String): Connection${index}Of${type}!`;
  if (style === 'items') return `${name}(limit: Int): Page${index}Of${type}`;
  return `${name}(${style}: Int): [${type}!]!`;
}

function writePage(index: number, type: string): string {
  return [
    `type Connection${index}Of${type} { nodes: [${type}!]! edges: [Edge${index}Of${type}!]! total: Int }`,
    `type Edge${index}Of${type} { cursor: String node: ${type}! }`,
    `type Page${index}Of${type} { items: [${type}!]! total: Int }`,
  ].join('\n');
}
