import type { ValueSupplier } from './generate-value.ts';

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'Query.user(id:)': ['1', '2', '3', '9'],
  'Query.product(id:)': ['p1', 'p2', 'p4', 'p5'],
  'Query.node(id:)': ['p1', 'p2'],
  'Query.review(id:)': ['r1', 'r2', 'r9'],
  'Query.stock(sku:)': ['sku-p1', 'sku-p2', 'none'],
  'Query.stock(code:)': ['N', 'S'],
  'Query.order(id:)': ['o1', 'o2', 'o3'],
  'Mutation.rename(id:)': ['1', '2'],
  'Mutation.addReview(product:)': ['p1', 'p2'],
  'Mutation.placeOrder(buyer:)': ['user1@example.org', 'user2@example.org'],
  'Mutation.cancelOrder(id:)': ['o1', 'o9'],
  'LineInput.sku': ['sku-p1', 'sku-p2'],
  'LineInput.code': ['N', 'S'],
  'UserFilter.ids': [['1', '2']],
};

/** Argument values that match entries of the fixture's world. */
export const fixtureValues: ValueSupplier = (coordinate, random) => {
  const values = VALUES[coordinate];
  return values === undefined ? undefined : random.pick(values);
};
