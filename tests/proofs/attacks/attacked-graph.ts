import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

/** Number of types that implement `Chain`, all in one subgraph. */
export const CHAIN_TYPES = 60;
/** Number of entity types that implement `Node`, each with its fields in one of several subgraphs. */
export const NODE_TYPES = 12;
/** Number of subgraphs that share the fields of `Node`. */
const NODE_SUBGRAPHS = 3;
/** Number of leaf fields of an item in each of its two subgraphs. */
export const ITEM_FIELDS = 12;
/** Number of characters of the text of a page. */
const PAGE_CHARACTERS = 200_000;

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@listSize"])`;

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_item, index) => index);
}

const leaves = (prefix: string): string =>
  range(ITEM_FIELDS)
    .map((index) => `${prefix}${index}: String`)
    .join(' ');

const SHOP = `${LINK}
  type Query {
    item(id: ID!): Item
    items(first: Int = 5, filter: ItemFilter): [Item!]! @listSize(slicingArguments: ["first"])
    pages(first: Int!): [Page!]! @listSize(slicingArguments: ["first"])
  }
  type Mutation { rename(id: ID!, name: String!): Item }
  input ItemFilter { name: String minPrice: Float maxPrice: Float }
  type Item @key(fields: "id") { id: ID! name: String related: Item ${leaves('a')} }
  type Page { text: String! }
`;

const STOCK = `${LINK}
  type Item @key(fields: "id") { id: ID! ${leaves('b')} }
`;

const CHAINS = `${LINK}
  type Query { shared: Chain! }
  interface Chain { id: ID! name: String next: Chain }
  ${range(CHAIN_TYPES)
    .map((index) => `type Link${index} implements Chain { id: ID! name: String own${index}: String next: Chain }`)
    .join('\n')}
`;

/** Each type has its fields in one of the subgraphs, and all subgraphs declare it. */
function nodesOf(subgraph: number): string {
  const types = range(NODE_TYPES).map((index) => {
    const own = index % NODE_SUBGRAPHS === subgraph ? `related: Node title${index}: String` : '';
    return `type Node${index} implements Node @key(fields: "id") { id: ID! @shareable ${own} }`;
  });
  return `${LINK}
  type Query { node${subgraph}: Node }
  interface Node { id: ID! }
  ${types.join('\n')}
`;
}

/** SDL of each subgraph of the attacked graph. */
export const SUBGRAPHS: Readonly<Record<string, string>> = {
  shop: SHOP,
  stock: STOCK,
  chains: CHAINS,
  ...Object.fromEntries(range(NODE_SUBGRAPHS).map((index) => [`nodes${index}`, nodesOf(index)])),
};

/**
 * Composes the subgraphs. Each is served at its name below one address.
 *
 * @throws Error when they do not compose
 */
export function composeAttackedGraph(url: string): string {
  const sources = Object.entries(SUBGRAPHS).map(([name, text]) => ({ name, url: `${url}/${name}`, files: [{ path: name, text }] }));
  const composed = composeSubgraphs(sources);
  if (composed.errors !== undefined) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  return composed.supergraphSdl;
}

/** REST documents of the graph. */
export const REST_DOCUMENTS = `
fragment Item on Item { id name ${range(ITEM_FIELDS)
  .map((index) => `a${index} b${index}`)
  .join(' ')} }

"List items"
query ListItems @endpoint(method: GET, path: "/items") {
  items(first: 5) @result(shape: LIST) { id name a0 b0 }
}

"Read an item"
query GetItem($id: ID! @in(path: "item_id")) @endpoint(method: GET, path: "/items/{item_id}") {
  item(id: $id) @result { ...Item }
}
`;

/** Creates the data of the graph: each field has a value made from the key. */
export function attackedData(): Readonly<Record<string, unknown>> {
  const page = { text: 'x'.repeat(PAGE_CHARACTERS) };
  return {
    item: ({ id }: { readonly id: string }) => itemOf(id),
    items: ({ first }: { readonly first: number }) => range(first).map((index) => itemOf(String(index + 1))),
    pages: ({ first }: { readonly first: number }) => range(first).map(() => page),
    rename: ({ id, name }: { readonly id: string; readonly name: string }) => ({ ...itemOf(id), name }),
    shared: { __typename: 'Link0', id: '1', name: 'one' },
    ...Object.fromEntries(range(NODE_SUBGRAPHS).map((index) => [`node${index}`, { __typename: `Node${index}`, id: '1' }])),
  };
}

function itemOf(id: string): Readonly<Record<string, unknown>> {
  return { id, name: `item ${id}`, ...Object.fromEntries(range(ITEM_FIELDS).map((index) => [`a${index}`, `${id} a${index}`])) };
}

/** Returns the fields that a subgraph adds to an object with a given key. */
export function entityOf({ __typename, id }: { readonly __typename: string; readonly id: string }): Readonly<Record<string, unknown>> {
  return { __typename, id, ...Object.fromEntries(range(ITEM_FIELDS).map((index) => [`b${index}`, `${id} b${index}`])) };
}
