import type { ValueSupplier } from '../../differential/generate-value.ts';

const ids = (max: number): ReturnType<typeof supplier> =>
  supplier((random) => (random.chance(0.05) ? '999999999' : String(1 + random.below(max))));

const supplier = (make: (random: Parameters<ValueSupplier>[1]) => unknown) => make;

/** Values that exist in the seeded data, and sometimes values that are rejected or do not exist. */
const VALUES: Readonly<Record<string, (random: Parameters<ValueSupplier>[1]) => unknown>> = {
  'Query.user(id:)': ids(20),
  'Query.book(id:)': ids(50),
  'Query.post(id:)': ids(100),
  'Query.order(id:)': ids(200),
  'Query.payment(id:)': ids(100),
  'PostFilter.authorId': ids(20),
  'OrderFilter.userId': (random) => random.pick(['1', '2', '3']),
  'Query.search(term:)': (random) => random.pick(['a', 'e', 'the', 'an', 'zzzz', '']),
  'UserFilter.name': (random) => random.pick(['a', 'an', 'e', 'nobody at all']),
  'BookFilter.author': (random) => random.pick(['A', 'nobody']),
  'PostFilter.tag': (random) => random.pick(['graphql', 'news', 'none']),
};

export const valueForReferenceGraph: ValueSupplier = (coordinate, random) => {
  const make = VALUES[coordinate];
  if (make !== undefined) return make(random);
  if (coordinate.endsWith('(first:)')) return random.chance(0.04) ? random.pick([0, -1, 101]) : 1 + random.below(4);
  if (coordinate.endsWith('(offset:)')) return random.chance(0.04) ? -1 : random.below(5);
  // An invented cursor is almost always rejected, so mostly none is sent.
  if (coordinate.endsWith('(after:)')) return random.chance(0.9) ? undefined : 'nonsense';
  return undefined;
};
