import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, parse } from 'graphql';
import { products, type Product, reviews, type Review, soldOut, users } from './data.ts';

/** A subgraph: its SDL and its executable schema. */
export interface Subgraph {
  readonly name: SubgraphName;
  readonly sdl: string;
  readonly schema: GraphQLSchema;
}

export type SubgraphName = 'accounts' | 'inventory' | 'products' | 'reviews';

const LINK = (imports: readonly string[]) =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [${imports.map((name) => `"@${name}"`).join(', ')}])\n`;

const SDL: Readonly<Record<SubgraphName, string>> = {
  accounts: `${LINK(['key', 'shareable'])}
    type Query { me: User user(id: ID!): User users: [User] }
    type User @key(fields: "id") { id: ID! name: String username: String @shareable birthday: Int }`,
  inventory: `${LINK(['key', 'external', 'requires'])}
    type Product @key(fields: "upc") {
      upc: String!
      weight: Int @external
      price: Int @external
      inStock: Boolean
      shippingEstimate: Int @requires(fields: "price weight")
    }`,
  products: `${LINK(['key'])}
    type Query { topProducts(first: Int = 5): [Product] }
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }`,
  reviews: `${LINK(['key', 'external', 'provides'])}
    type Review @key(fields: "id") { id: ID! body: String author: User @provides(fields: "username") product: Product }
    type User @key(fields: "id") { id: ID! username: String @external numberOfReviews: Int reviews: [Review] }
    type Product @key(fields: "upc") { upc: String! reviews: [Review] }`,
};

const userOf = (id: string) => users.find((user) => user.id === id) ?? null;
const productOf = (upc: string) => products.find((product) => product.upc === upc) ?? null;
const reviewsBy = (id: string) => reviews.filter(({ author }) => author === id);

/** Computes the shipping estimate: free from a price of 1,000, otherwise half a coin per unit of weight. */
export const shippingEstimate = ({ price, weight }: Pick<Product, 'price' | 'weight'>) => (price >= 1_000 ? 0 : Math.round(weight / 2));

const RESOLVERS = {
  accounts: {
    Query: {
      me: () => users[0],
      user: (_root: unknown, { id }: { id: string }) => userOf(id),
      users: () => users,
    },
    User: { __resolveReference: ({ id }: { id: string }) => userOf(id) },
  },
  inventory: {
    Product: {
      __resolveReference: (reference: { upc: string }) => reference,
      inStock: ({ upc }: { upc: string }) => !soldOut.has(upc),
      shippingEstimate,
    },
  },
  products: {
    Query: { topProducts: (_root: unknown, { first }: { first: number }) => products.slice(0, first) },
    Product: { __resolveReference: ({ upc }: { upc: string }) => productOf(upc) },
  },
  reviews: {
    Review: {
      __resolveReference: ({ id }: { id: string }) => reviews.find((review) => review.id === id),
      author: ({ author }: Review) => ({ __typename: 'User', id: author, username: userOf(author)?.username }),
      product: ({ product }: Review) => ({ __typename: 'Product', upc: product }),
    },
    User: {
      __resolveReference: (reference: { id: string }) => reference,
      numberOfReviews: ({ id }: { id: string }) => reviewsBy(id).length,
      reviews: ({ id }: { id: string }) => reviewsBy(id),
    },
    Product: {
      __resolveReference: (reference: { upc: string }) => reference,
      reviews: ({ upc }: { upc: string }) => reviews.filter(({ product }) => product === upc),
    },
  },
};

/** Names of the subgraphs, in the order of their ports. */
export const SUBGRAPH_NAMES: readonly SubgraphName[] = ['accounts', 'inventory', 'products', 'reviews'];

export function createSubgraphs(): readonly Subgraph[] {
  return SUBGRAPH_NAMES.map((name) => ({
    name,
    sdl: SDL[name],
    schema: buildSubgraphSchema([{ typeDefs: parse(SDL[name]), resolvers: RESOLVERS[name] }]),
  }));
}
