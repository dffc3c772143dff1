const HEAD = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: [
  "@key", "@shareable", "@provides", "@external", "@requires", "@interfaceObject", "@inaccessible"
])
`;

const accounts = `${HEAD}
interface Node { id: ID! }
scalar DateTime
scalar JSON
enum Role { ADMIN MEMBER GUEST HIDDEN @inaccessible }
enum NameStyle { FULL SHORT }
input UserFilter { role: Role = MEMBER, ids: [ID!], not: UserFilter }
type User implements Node @key(fields: "id") @key(fields: "email") {
  id: ID!
  email: String!
  name(style: NameStyle! = FULL, length: Int): String
  nickname: String @shareable
  role: Role
  age: Int
  score: Float!
  isActive: Boolean
  birthday: DateTime
  settings: JSON
  secret: String
  token: String!
  friends(first: Int = 2): [User!]!
  bestFriend: User
  address: Address
  account: Account
  rival: User!
}
type Address @shareable { street: String city: City }
type City @shareable { name: String! zip: [Int] }
union Account = Personal | Business
type Personal { limit: Float owner: User }
type Business { company: Company seats: Int! }
type Company { name: String! budget: Float }
type Query {
  me: User
  user(id: ID!): User
  users(first: Int, filter: UserFilter): [User]!
  admin: User!
  accounts: [Account!]!
  broken: String!
  fragile: User
  version: String! @shareable
}
type Mutation {
  rename(id: ID!, name: String!): User
  touch(by: Int! = 1): Int!
  refuse(reason: String): Boolean
}
`;

const catalog = `${HEAD}
interface Node { id: ID! }
enum Currency { EUR USD }
interface Product implements Node @key(fields: "id") {
  id: ID!
  title: String
  price(currency: Currency = EUR): Float
  dimensions: Dimensions
  tags: [[String!]]!
  related(first: Int = 2): [Product!]!
}
type Book implements Product & Node @key(fields: "id") {
  id: ID!
  title: String
  price(currency: Currency = EUR): Float
  dimensions: Dimensions
  tags: [[String!]]!
  related(first: Int = 2): [Product!]!
  isbn: String!
  pages: Int
  author: User
  detail(level: Int = 1): String
}
type Movie implements Product & Node @key(fields: "id") {
  id: ID!
  title: String
  price(currency: Currency = EUR): Float
  dimensions: Dimensions
  tags: [[String!]]!
  related(first: Int = 2): [Product!]!
  minutes: Int!
  director: User!
  cast: [User!]
  tagline: String
  detail(level: Int = 1): Float
}
type Dimensions @shareable { width: Int height: Int parts: [[Part]] }
type Part @shareable { weight: Float }
union SearchResult = Book | Movie | User
type User @key(fields: "id") {
  id: ID!
  favourite: Product
  shelf: [[Book]]
  wishes: [SearchResult!]
  library: Library
}
type Library { owner: User! books: [Book!]! }
type Query {
  products(first: Int): [Product!]!
  product(id: ID!): Product
  search(term: String!): [SearchResult]
  grid: [[Product]]
  books: [Book!]!
  node(id: ID!): Node
  version: String! @shareable
}
`;

const reviews = `${HEAD}
interface Node { id: ID! }
type Product @interfaceObject @key(fields: "id") {
  id: ID!
  reviews(first: Int = 2): [Review!]!
  rating: Float
  topReview: Review!
  isFlagged: Boolean
}
type Review implements Node @key(fields: "id") {
  id: ID!
  body: String
  stars: Int!
  author: User @provides(fields: "nickname")
  product: Product!
  replies: [Review]
  moderation: String
}
type User @key(fields: "id") {
  id: ID!
  nickname: String @external
  reviews: [Review!]
  lastReview: Review!
}
type Query {
  review(id: ID!): Review
  latestReviews(first: Int = 3): [Review!]!
  bestProduct: Product
  rankedProducts: [Product]!
}
type Mutation {
  addReview(product: ID!, body: String!, stars: Int = 3): Review!
}
`;

const inventory = `${HEAD}
type Book @key(fields: "id") {
  id: ID!
  dimensions: Dimensions @external
  isbn: String! @external
  shipping(express: Boolean = false): Float @requires(fields: "dimensions { width parts { weight } }")
  label: String! @requires(fields: "isbn dimensions { height }")
  stock: [Stock!]
}
type Movie @key(fields: "id") {
  id: ID!
  stock: [Stock!]
  isStreamable: Boolean!
}
type Dimensions @shareable { width: Int height: Int parts: [[Part]] }
type Part @shareable { weight: Float }
type Stock @key(fields: "sku warehouse { code }") {
  sku: String!
  warehouse: Warehouse!
  count: Int!
  audit: String
}
type Warehouse @shareable { code: String! }
type User @key(fields: "id") {
  id: ID!
  account: Account @external
  credit: Float @requires(fields: "account { ... on Personal { limit } ... on Business { company { budget } } }")
}
union Account = Personal | Business
type Personal { limit: Float @external }
type Business { company: Company @external }
type Company { budget: Float @external }
type Query {
  stocks: [Stock!]!
  stock(sku: String!, code: String!): Stock
}
`;

const orders = `${HEAD}
interface Node { id: ID! }
enum OrderStatus { OPEN SENT }
input LineInput { sku: String!, code: String! = "N", amount: Int = 1 }
type Order implements Node @key(fields: "id") {
  id: ID!
  status: OrderStatus!
  buyer: User!
  lines: [Line!]!
  note: String
  invoice: String!
}
type Line { stock: Stock amount: Int! }
type Stock @key(fields: "sku warehouse { code }") {
  sku: String!
  warehouse: Warehouse!
  count: Int! @external
  reservedBy: [Order!]!
  free: Int @requires(fields: "count")
}
type Warehouse @shareable { code: String! }
type User @key(fields: "email") {
  email: String!
  orders(status: OrderStatus): [Order]
  spent: Float!
}
type Query {
  order(id: ID!): Order
  orders(first: Int = 2): [Order!]!
}
type Mutation {
  placeOrder(buyer: String!, lines: [LineInput!]!): Order
  cancelOrder(id: ID!): Order!
}
`;

/** SDL of the subgraphs of the fixture, by name. */
export const SUBGRAPH_SDL: Readonly<Record<string, string>> = { accounts, catalog, reviews, inventory, orders };
