import { graphql, type GraphQLSchema } from 'graphql';
import { products, type Product, reviews, soldOut, type User, users } from './data.ts';
import { shippingEstimate } from './subgraphs.ts';

/** The whole graph as a single server would resolve it. It is the reference for the responses of every gateway. */
const root = {
  me: () => toUser(users[0]),
  user: ({ id }: { id: string }) => toUser(users.find((user) => user.id === id)),
  users: () => users.map(toUser),
  topProducts: ({ first }: { first: number }) => products.slice(0, first).map(toProduct),
};

function toUser(user: User | undefined): unknown {
  if (user === undefined) return null;
  const own = () => reviews.filter(({ author }) => author === user.id);
  return { ...user, numberOfReviews: () => own().length, reviews: () => own().map(toReview) };
}

function toProduct(product: Product | undefined): unknown {
  if (product === undefined) return null;
  return {
    ...product,
    inStock: !soldOut.has(product.upc),
    shippingEstimate: shippingEstimate(product),
    reviews: () => reviews.filter((review) => review.product === product.upc).map(toReview),
  };
}

function toReview({ id, body, author, product }: (typeof reviews)[number]): unknown {
  return {
    id,
    body,
    author: () => toUser(users.find((user) => user.id === author)),
    product: () => toProduct(products.find(({ upc }) => upc === product)),
  };
}

/** Executes an operation with graphql-js on all data. @throws Error when the result has errors */
export async function executeByReference(
  schema: GraphQLSchema,
  { query, variables }: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> },
): Promise<string> {
  const { data, errors } = await graphql({ schema, source: query, rootValue: root, variableValues: variables });
  if (errors !== undefined) throw new Error(`The reference execution failed: ${errors.map(String).join('; ')}`);
  return JSON.stringify({ data });
}
