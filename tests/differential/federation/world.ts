/** A thing of the fixture. `__typename` is its type. */
export type Thing = { readonly __typename: string } & Record<string, unknown>;

/** All data of one run. Mutations change it, so each run gets its own world. */
export interface World {
  readonly users: Thing[];
  readonly products: Thing[];
  readonly reviews: Thing[];
  readonly stocks: Thing[];
  readonly orders: Thing[];
  touched: number;
}

/** Creates the same data each time. */
export function createWorld(): World {
  return { users: users(), products: products(), reviews: reviews(), stocks: stocks(), orders: orders(), touched: 0 };
}

function users(): Thing[] {
  const roles = ['ADMIN', 'MEMBER', 'GUEST', 'HIDDEN', null];
  return [1, 2, 3, 4, 5].map((number) => ({
    __typename: 'User',
    id: String(number),
    email: `user${number}@example.org`,
    fullName: ['Ada Byron', 'Bob "the" Builder', 'Čapek\n', '', 'Eve 😀'][number - 1],
    nickname: number === 3 ? null : `nick${number}`,
    role: roles[number - 1],
    age: number === 2 ? null : number * 11,
    score: number / 4,
    isActive: number % 2 === 1,
    birthday: number === 4 ? null : `200${number}-01-01T00:00:00Z`,
    settings: [{ theme: 'dark', nested: [1, { two: null }] }, 'plain', 7, null, [true]][number - 1],
    friendIds: [String((number % 5) + 1), String(((number + 1) % 5) + 1)],
    bestFriendId: number === 5 ? null : String(number + 1),
    address:
      number === 2 ? null : { street: `Street ${number}`, city: number === 3 ? null : { name: `City ${number}`, zip: [number, null] } },
    account:
      number === 4
        ? null
        : number % 2 === 1
          ? { __typename: 'Personal', limit: number === 5 ? null : number * 100, ownerId: String(number) }
          : { __typename: 'Business', company: { name: 'Acme', budget: 1_000_000.5 }, seats: 3 },
    favouriteId: number === 2 ? null : `p${number}`,
    shelfIds: [[`p1`, null], number === 1 ? null : ['p3'], []],
    wishIds: number === 3 ? null : ['p2', '1', `p${number}`],
  }));
}

function products(): Thing[] {
  return [1, 2, 3, 4, 5].map((number) => ({
    __typename: number % 2 === 1 ? 'Book' : 'Movie',
    id: `p${number}`,
    title: number === 4 ? null : `Title ${number}`,
    basePrice: number === 5 ? null : number * 2.5,
    dimensions:
      number === 5
        ? null
        : { width: number, height: number === 3 ? null : number * 2, parts: number === 3 ? null : [[{ weight: number }, null], null, []] },
    tags: [['x', 'y'], null, [`t${number}`]],
    relatedIds: [`p${(number % 5) + 1}`, `p${((number + 2) % 5) + 1}`],
    isbn: `isbn-${number}`,
    pages: number * 100,
    authorId: number === 5 ? null : '1',
    minutes: 90 + number,
    directorId: '2',
    castIds: number === 4 ? null : ['1', '2'],
    rating: number === 2 ? null : number / 2,
    isFlagged: number === 1 ? null : number > 3,
    isStreamable: number === 2,
  }));
}

function reviews(): Thing[] {
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    __typename: 'Review',
    id: `r${number}`,
    body: number === 2 ? null : `Body ${number} \u2028`,
    stars: number % 6,
    authorId: number === 4 ? null : String(((number - 1) % 3) + 1),
    productId: `p${((number - 1) % 4) + 1}`,
    responseIds: number === 1 ? ['r5', null, 'r6'] : number === 2 ? null : [],
  }));
}

function stocks(): Thing[] {
  return ['p1', 'p2', 'p3'].flatMap((productId, index) =>
    ['N', 'S'].map((code) => ({
      __typename: 'Stock',
      sku: `sku-${productId}`,
      warehouse: { code },
      productId,
      count: index * 10 + code.length,
    })),
  );
}

function orders(): Thing[] {
  return [1, 2, 3].map((number) => ({
    __typename: 'Order',
    id: `o${number}`,
    status: number === 2 ? 'SENT' : 'OPEN',
    buyerEmail: `user${number === 3 ? 1 : number}@example.org`,
    lines: [
      { sku: 'sku-p1', code: 'N', amount: number },
      { sku: number === 2 ? 'unknown' : 'sku-p2', code: 'S', amount: 2 },
    ],
    note: number === 1 ? null : `note ${number}`,
  }));
}
