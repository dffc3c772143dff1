import { FRESH_DIGITS } from '../graph/operations.ts';

/** Schema of the only subgraph. */
export const WORKERS_SDL = `
  type Query { item: Item items: [Item!] }
  type Mutation { buy(id: ID!): Item }
  type Item { id: ID! name: String price: Float tags: [String!] maker: Maker }
  type Maker { id: ID! name: String city: String }
`;

const toItem = (index: number) => ({
  id: String(index),
  name: `Item number ${index}`,
  price: index + 0.5,
  tags: ['a tag', 'another tag'],
  maker: { id: String(index % 7), name: `Maker ${index % 7}`, city: 'Lisbon' },
});

/** Data of the only subgraph. */
export const workersData = {
  item: toItem(1),
  items: Array.from({ length: 100 }, (_, index) => toItem(index)),
};

/** A request that the clients of one load repeat. */
export interface WorkersLoad {
  readonly name: string;
  readonly query: string;
  /** Settings of the gateways. @defaultValue those of the other loads */
  readonly isCharged?: boolean;
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Loads, by how much CPU time the gateway needs for one byte that it exchanges with clients and subgraphs. */
export const WORKERS_LOADS: readonly WorkersLoad[] = [
  {
    name: 'a long new document in each request',
    query: `query New { a${FRESH_DIGITS}: item { ${repeat(600, () => `maker { city name id }`)} } }`,
  },
  { name: 'a list of 100 objects', query: '{ items { id name price tags maker { id name city } } }' },
  { name: 'one object', query: '{ item { id name price } }' },
  { name: 'one object, charged to a budget', query: '{ item { id name price } }', isCharged: true },
];
