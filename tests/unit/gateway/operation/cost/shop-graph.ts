import { buildASTSchema, parse } from 'graphql';
import { type OperationCost, compileCost } from '../../../../../gateway/operation/cost/compile-cost.ts';
import { createCostModel } from '../../../../../gateway/operation/cost/cost-model.ts';
import type { ListSizeSettings } from '../../../../../gateway/operation/cost/list-size.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';
import { readCostRules } from '../../../../../gateway/supergraph/read-cost-rules.ts';
import { readFeatures } from '../../../../../gateway/directives/read-features.ts';

const SETTINGS: ListSizeSettings = { assumedListSize: 10, maxPageSize: 100, isPageSizeEnforced: true };

const LINK = `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@listSize"]) {
    query: Query
    mutation: Mutation
  }
  directive @link(url: String!, import: [String]) repeatable on SCHEMA
  directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`;

const SHOP_SDL = `
  type Query {
    user(id: ID!): User
    users: [User!]!
    someUsers(first: Int = 20): [User!]! @listSize(slicingArguments: ["first"], assumedSize: 5, requireOneSlicingArgument: false)
    bothWays(first: Int, last: Int): [User!]! @listSize(slicingArguments: ["first", "last"])
    posts(first: Int = 20, filter: Filter): Posts! @listSize(slicingArguments: ["first"], sizedFields: ["nodes", "edges"], requireOneSlicingArgument: false)
    fixed: [User!]! @listSize(assumedSize: 3)
    grid: [[Post!]!]!
    found: [Found!]!
    node: Node
    dear(text: String @cost(weight: 4)): Int @cost(weight: 7)
  }
  type Mutation { rename(id: ID!): User pay(id: ID!): User @cost(weight: 50) }
  interface Node { id: ID! }
  type User implements Node { id: ID! name: String tags: [String!]! friends: [User!]! }
  type Post implements Node @cost(weight: 3) { id: ID! title: String author: User! kind: Kind }
  type Posts { nodes: [Post!]! edges: [Edge!]! total: Int @cost(weight: 2) }
  type Edge { cursor: String! node: Post! }
  union Found = User | Post
  enum Kind @cost(weight: 1) { NEWS TALK }
  input Filter { text: String and: [Filter!] slow: String @cost(weight: 9) }
`;

const sdl = parse(`${LINK}${SHOP_SDL}`);

/** Shop graph in the shape of a generation. */
export const SHOP = { id: 'shop', sdl: '', schema: buildASTSchema(sdl), costRules: readCostRules(sdl, readFeatures(sdl)) };

/** Returns the cost of an operation on the shop graph. */
export function costIn(text: string, settings: Partial<ListSizeSettings> = {}): OperationCost {
  const document = parse(text);
  return compileCost(document, selectOperation(document), createCostModel(SHOP.schema, SHOP.costRules), { ...SETTINGS, ...settings });
}
