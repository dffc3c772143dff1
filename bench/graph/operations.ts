/** One load: the request that clients send again and again. */
export interface Operation {
  readonly name: OperationName;
  /** What it stands for, in words for the report. */
  readonly about: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * Every request says something else where the query has this: seven digits, which become others each time. The
   * answers differ by them at most.
   */
  readonly isFresh: boolean;
}

export type OperationName = 'big' | 'medium' | 'tiny' | 'unique' | 'literals' | 'mixed';

/** The seven digits that stand for others in a query that is never sent twice. */
export const FRESH_DIGITS = '1000000';

const big = `
  fragment User on User { id username name }
  fragment Review on Review { id body }
  fragment Product on Product { inStock name price shippingEstimate upc weight }
  query Big {
    users {
      ...User
      reviews {
        ...Review
        product { ...Product reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } } }
      }
    }
    topProducts {
      ...Product
      reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } }
    }
  }`;

const medium = (first: string, key = 'name', head = '') =>
  `query Medium${head} { topProducts(first: ${first}) { upc ${key} price weight reviews { id author { id username numberOfReviews } product { upc } } } }`;

/** More than there are: whatever the number is, the answer is the same. */
const ALL = FRESH_DIGITS;

export const OPERATIONS: readonly Operation[] = [
  { name: 'big', about: 'users, reviews, products and back, four subgraphs', query: big, isFresh: false },
  {
    name: 'medium',
    about: 'two subgraphs, one variable',
    query: medium('$first', 'name', '($first: Int!)'),
    variables: { first: 9 },
    isFresh: false,
  },
  { name: 'tiny', about: 'one subgraph', query: '{ me { id name username } }', isFresh: false },
  {
    name: 'unique',
    about: 'medium with another alias in every request',
    query: medium('$first', `a${FRESH_DIGITS}: name`, '($first: Int!)'),
    variables: { first: 9 },
    isFresh: true,
  },
  { name: 'literals', about: 'medium with another literal in every request', query: medium(ALL), isFresh: true },
  {
    name: 'mixed',
    about: 'medium with another alias and literal in every request',
    query: medium(ALL, `a${FRESH_DIGITS}: name`),
    isFresh: true,
  },
];
