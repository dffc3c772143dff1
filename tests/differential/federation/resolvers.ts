import { GraphQLError } from 'graphql';
import type { Thing, World } from './world.ts';

/** State that resolvers share in one run. */
export interface FixtureContext {
  readonly world: World;
}

/** Resolves a field of the fixture. */
export type Resolver = (parent: Thing, args: Record<string, unknown>, context: FixtureContext) => unknown;

/** Creates an error that was written for clients. */
function error(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function byId(things: readonly Thing[], id: unknown): Thing | undefined {
  return things.find((thing) => thing['id'] === id);
}

function byIds(things: readonly Thing[], ids: unknown): unknown {
  return Array.isArray(ids) ? ids.map((id): unknown => (Array.isArray(id) || id === null ? byIds(things, id) : byId(things, id))) : null;
}

function first(things: unknown, count: unknown): unknown {
  return Array.isArray(things) && typeof count === 'number' ? things.slice(0, Math.max(0, count)) : things;
}

/** Finds an entity by any of its keys. */
export function findEntity(world: World, typename: string, key: Readonly<Record<string, unknown>>): Thing | undefined {
  switch (typename) {
    case 'User':
      return world.users.find((user) => user['id'] === key['id'] || user['email'] === key['email']);
    case 'Review':
      return byId(world.reviews, key['id']);
    case 'Order':
      return byId(world.orders, key['id']);
    case 'Stock':
      return findStock(world, key['sku'], (key['warehouse'] as { code?: unknown } | undefined)?.code);
    default:
      return byId(world.products, key['id']);
  }
}

function findStock(world: World, sku: unknown, code: unknown): Thing | undefined {
  return world.stocks.find((stock) => stock['sku'] === sku && (stock['warehouse'] as { code: string }).code === code);
}

const userFields: Record<string, Resolver> = {
  name: (user, { style, length }) => {
    const name = String(user['fullName']);
    const styled = style === 'SHORT' ? (name.split(' ')[0] ?? '') : name;
    return name === '' ? '' : styled.slice(0, typeof length === 'number' ? length : undefined);
  },
  secret: (user) => {
    if (user['id'] === '1') return 'open';
    throw error(`User ${String(user['id'])} keeps it.`, 'FORBIDDEN');
  },
  token: (user) => {
    if (user['id'] === '1' || user['id'] === '2') return `token-${user['id']}`;
    throw error('No token.', 'UNAUTHENTICATED');
  },
  friends: (user, args, { world }) => first(byIds(world.users, user['friendIds']), args['first']),
  bestFriend: (user, _args, { world }) => byId(world.users, user['bestFriendId']),
  rival: (user, _args, { world }) => (user['id'] === '3' ? null : byId(world.users, '2')),
  favourite: (user, _args, { world }) => byId(world.products, user['favouriteId']),
  shelf: (user, _args, { world }) => byIds(world.products, user['shelfIds']),
  wishes: (user, _args, { world }) => byIds([...world.products, ...world.users], user['wishIds']),
  library: (user, _args, { world }) => (user['id'] === '4' ? null : { owner: user, books: world.products.filter(isBook).slice(0, 2) }),
  reviews: (user, _args, { world }) => (user['id'] === '3' ? null : world.reviews.filter(({ authorId }) => authorId === user['id'])),
  lastReview: (user, _args, { world }) => world.reviews.findLast(({ authorId }) => authorId === user['id']),
  credit: (user) => {
    const account = user['account'] as { limit?: number; company?: { budget?: number } } | null | undefined;
    return account === null || account === undefined ? null : (account.limit ?? account.company?.budget ?? null);
  },
  orders: (user, { status }, { world }) => {
    if (user['email'] === 'user4@example.org') throw error('Orders are gone.', 'NOT_FOUND');
    return world.orders.filter(
      (order) => order['buyerEmail'] === user['email'] && (status === undefined || status === null || order['status'] === status),
    );
  },
  spent: (user) => (user['email'] === 'user3@example.org' ? null : 12.5),
};

function isBook(thing: Thing): boolean {
  return thing.__typename === 'Book';
}

const productFields: Record<string, Resolver> = {
  price: (product, { currency }) => {
    const price = product['basePrice'];
    return typeof price === 'number' ? price * (currency === 'USD' ? 2 : 1) : null;
  },
  related: (product, args, { world }) => first(byIds(world.products, product['relatedIds']), args['first']),
  reviews: (product, args, { world }) =>
    first(
      world.reviews.filter(({ productId }) => productId === product['id']),
      args['first'],
    ),
  topReview: (product, _args, { world }) => world.reviews.find(({ productId }) => productId === product['id']),
};

const bookFields: Record<string, Resolver> = {
  author: (book, _args, { world }) => byId(world.users, book['authorId']),
  detail: (book, { level }) => `${String(book['id'])}/${String(level)}`,
  shipping: (book, { express }) => {
    const dimensions = book['dimensions'] as { width: number | null; parts: ({ weight: number } | null)[][] | null } | null;
    if (dimensions === null) return null;
    const weight = (dimensions.parts ?? []).flat().reduce((sum, part) => sum + (part?.weight ?? 0), 0);
    return (dimensions.width ?? 0) + weight + (express === true ? 100 : 0);
  },
  label: (book) => {
    const height = (book['dimensions'] as { height: number | null } | null)?.height;
    if (height === null || height === undefined) throw error('No label without a height.', 'NOT_FOUND');
    return `${String(book['isbn'])}:${height}`;
  },
  stock: (book, _args, { world }) => world.stocks.filter(({ productId }) => productId === book['id']),
};

const movieFields: Record<string, Resolver> = {
  director: (movie, _args, { world }) => byId(world.users, movie['directorId']),
  cast: (movie, _args, { world }) => byIds(world.users, movie['castIds']),
  tagline: (movie) => {
    if (movie['id'] === 'p4') throw error('No tagline.', 'NOT_FOUND');
    return '';
  },
  detail: (movie, { level }) => Number(movie['minutes']) + Number(level ?? 0),
  stock: (movie, _args, { world }) => (movie['id'] === 'p4' ? null : world.stocks.filter(({ productId }) => productId === movie['id'])),
};

const reviewFields: Record<string, Resolver> = {
  author: (review, _args, { world }) => byId(world.users, review['authorId']),
  product: (review, _args, { world }) => byId(world.products, review['productId']),
  replies: (review, _args, { world }) => byIds(world.reviews, review['responseIds']),
  moderation: (review) => {
    if (review['id'] === 'r2' || review['id'] === 'r5') throw error('For moderators.', 'FORBIDDEN');
    return 'fine';
  },
};

const orderFields: Record<string, Resolver> = {
  buyer: (order, _args, { world }) => world.users.find(({ email }) => email === order['buyerEmail']),
  invoice: (order) => {
    if (order['id'] === 'o2') throw error('No invoice yet.', 'CONFLICT');
    return `invoice ${String(order['id'])}`;
  },
};

const queries: Record<string, Resolver> = {
  me: (_root, _args, { world }) => world.users[0],
  user: (_root, { id }, { world }) => byId(world.users, id),
  users: (_root, args, { world }) => {
    const filter = args['filter'] as { role?: string | null; ids?: string[] | null } | null | undefined;
    const found = world.users.filter((user) => {
      return (filter?.role ?? user['role']) === user['role'] && (filter?.ids ?? [user['id']]).includes(user['id']);
    });
    return first([...found, null], args['first']);
  },
  admin: (_root, _args, { world }) => world.users[2],
  accounts: (_root, _args, { world }) => world.users.flatMap(({ account }) => (account === null ? [] : [account])),
  broken: () => {
    throw error('It is broken.', 'CONFLICT');
  },
  fragile: () => {
    throw error('Not today.', 'NOT_FOUND');
  },
  version: () => '1',
  products: (_root, args, { world }) => first(world.products, args['first']),
  product: (_root, { id }, { world }) => byId(world.products, id),
  search: (_root, { term }, { world }) =>
    term === '' ? null : [world.products[0], world.users[1], null, world.products[1], world.users[2]],
  grid: (_root, _args, { world }) => [[world.products[0], null, world.products[1]], null, [], [world.products[0]]],
  books: (_root, _args, { world }) => world.products.filter(isBook),
  node: (_root, { id }, { world }) => byId(world.products, id),
  review: (_root, { id }, { world }) => byId(world.reviews, id),
  latestReviews: (_root, args, { world }) => first(world.reviews, args['first']),
  bestProduct: (_root, _args, { world }) => world.products[2],
  rankedProducts: (_root, _args, { world }) => [world.products[3], null, world.products[0]],
  stocks: (_root, _args, { world }) => world.stocks.slice(0, 3),
  stock: (_root, { sku, code }, { world }) => findStock(world, sku, code),
  order: (_root, { id }, { world }) => byId(world.orders, id),
  orders: (_root, args, { world }) => first(world.orders, args['first']),
};

const mutations: Record<string, Resolver> = {
  rename: (_root, { id, name }, { world }) => {
    const user = byId(world.users, id);
    if (user !== undefined) user['fullName'] = name;
    return user;
  },
  touch: (_root, { by }, { world }) => {
    world.touched += Number(by);
    return world.touched;
  },
  refuse: (_root, { reason }) => {
    throw error(`Refused: ${String(reason)}`, 'CONFLICT');
  },
  addReview: (_root, { product, body, stars }, { world }) => {
    const review = {
      __typename: 'Review',
      id: `r${world.reviews.length + 1}`,
      body,
      stars,
      authorId: '1',
      productId: product,
      responseIds: null,
    };
    world.reviews.unshift(review);
    return review;
  },
  createOrder: (_root, { buyer, lines }, { world }) => {
    const order = { __typename: 'Order', id: `o${world.orders.length + 1}`, status: 'OPEN', buyerEmail: buyer, lines, note: null };
    world.orders.push(order);
    return order;
  },
  cancelOrder: (_root, { id }, { world }) => {
    const order = byId(world.orders, id);
    if (order === undefined) throw error('No such order.', 'NOT_FOUND');
    order['status'] = 'SENT';
    return order;
  },
};

/** Resolvers of all types, for the subgraphs and for the monolith. Fields without a resolver are read from the thing. */
export const RESOLVERS: Readonly<Record<string, Readonly<Record<string, Resolver>>>> = {
  Query: queries,
  Mutation: mutations,
  User: userFields,
  Product: productFields,
  Book: { ...productFields, ...bookFields },
  Movie: { ...productFields, ...movieFields },
  Review: reviewFields,
  Order: orderFields,
  Personal: { owner: (account, _args, { world }) => byId(world.users, account['ownerId']) },
  Line: { stock: (line, _args, { world }) => findStock(world, line['sku'], line['code']) },
  Stock: {
    audit: () => {
      throw new Error('The disk at 10.0.0.1 is full.');
    },
    reservedBy: (stock, _args, { world }) =>
      world.orders.filter(({ lines }) => (lines as { sku: string }[]).some(({ sku }) => sku === stock['sku'])),
    free: (stock) => Number(stock['count']) - 1,
  },
};
