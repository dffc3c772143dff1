/** The request that clients of one load send repeatedly. */
export interface Operation {
  readonly name: OperationName;
  /** Description for the report. */
  readonly about: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Whether the seven digits in the query are replaced by other digits in every request. The responses differ at most by these digits. */
  readonly isFresh: boolean;
}

export type OperationName = 'big' | 'medium' | 'tiny' | 'unique' | 'literals' | 'mixed';

/** Placeholder for the seven digits that differ in every request of a fresh query. */
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

/** A number larger than the number of products, so that the response is the same for every replacement. */
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
