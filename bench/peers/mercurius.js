import mercurius from '@mercuriusjs/gateway';
import Fastify from 'fastify';

// Mercurius supports federation 1, so these services declare the same schema in the syntax of that version.

const SDL = {
  accounts: `
    extend type Query { me: User user(id: ID!): User users: [User] }
    type User @key(fields: "id") { id: ID! name: String username: String birthday: Int }`,
  inventory: `
    extend type Product @key(fields: "upc") {
      upc: String! @external
      weight: Int @external
      price: Int @external
      inStock: Boolean
      shippingEstimate: Int @requires(fields: "price weight")
    }`,
  products: `
    extend type Query { topProducts(first: Int = 5): [Product] }
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }`,
  reviews: `
    type Review @key(fields: "id") { id: ID! body: String author: User @provides(fields: "username") product: Product }
    extend type User @key(fields: "id") { id: ID! @external username: String @external numberOfReviews: Int reviews: [Review] }
    extend type Product @key(fields: "upc") { upc: String! @external reviews: [Review] }`,
};

const { port, subgraphs } = JSON.parse(process.argv[2]);
const app = Fastify();
app.register(mercurius, {
  jit: 1,
  gateway: { services: Object.entries(subgraphs).map(([name, url]) => ({ name, url, schema: SDL[name], mandatory: true })) },
});
await app.listen({ port, host: '127.0.0.1' });
