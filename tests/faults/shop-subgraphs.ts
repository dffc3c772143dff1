import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLScalarType, graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';

const link = '@link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';

/** Three subgraphs: the catalog lists products, and prices and stock each add fields to them. */
const SDL = {
  catalogue: `extend schema ${link}
    type Query { products: [Product!]! }
    type Product @key(fields: "id") { id: ID! name: String! }`,
  prices: `extend schema ${link}
    type Product @key(fields: "id") { id: ID! price: Int }`,
  stock: `extend schema ${link}
    scalar JSON
    type Query { warehouse: Warehouse }
    type Mutation { restock(id: ID!, count: Int!): Product }
    type Warehouse { city: String open: Boolean }
    type Product @key(fields: "id") { id: ID! count: Int facts: JSON places: [Place!] }
    type Place { shelf: String }`,
};

export type ShopSubgraph = keyof typeof SDL;

const SHOP_SUBGRAPHS = Object.keys(SDL) as readonly ShopSubgraph[];

const COUNTS: Readonly<Record<string, number>> = { '1': 10, '2': 20, '3': 30 };

const position = (shelf: string) => ({ shelf });

const RESOLVERS = {
  catalogue: {
    Query: { products: () => ['lamp', 'desk', 'chair'].map((name, index) => ({ id: String(index + 1), name })) },
  },
  prices: {
    Product: { __resolveReference: ({ id }: { id: string }) => ({ id, price: Number(id) * 100 }) },
  },
  stock: {
    JSON: new GraphQLScalarType({ name: 'JSON' }),
    Query: { warehouse: () => ({ city: 'Oslo', open: true }) },
    Mutation: { restock: (_parent: unknown, { id, count }: { id: string; count: number }) => ({ id, count }) },
    Product: {
      __resolveReference: ({ id }: { id: string }) => ({
        id,
        count: COUNTS[id],
        facts: { kg: Number(id) },
        places: ['a', 'b'].map((row) => position(row + id)),
      }),
    },
  },
};

const schemas = new Map(
  SHOP_SUBGRAPHS.map((name) => [name, buildSubgraphSchema({ typeDefs: gql(SDL[name]), resolvers: RESOLVERS[name] })]),
);

/** Creates a function that returns the correct response of one of the three subgraphs. */
export function createShopResponder(subgraph: ShopSubgraph): (body: string) => Promise<string> {
  const schema = schemas.get(subgraph);
  if (schema === undefined) throw new Error(`The subgraph "${subgraph}" does not exist.`);
  return async (body) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    return JSON.stringify(await graphql({ schema, source: query, variableValues: variables }));
  };
}

/** The supergraph of the three subgraphs. Their addresses come from the settings. */
export const shopSupergraph = composeShop();

function composeShop(): string {
  const composition = composeSubgraphs(
    SHOP_SUBGRAPHS.map((name) => ({ name, url: `http://${name}.invalid`, files: [{ path: `${name}.graphql`, text: SDL[name] }] })),
  );
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return composition.supergraphSdl;
}
