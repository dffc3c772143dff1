import { ITEM_FIELDS } from './attacked-graph.ts';

/** A request of the honest caller. */
export interface HonestRequest {
  /** Operation that is posted. @defaultValue a GET of `path` is sent */
  readonly query?: string;
  readonly path: string;
  /** Whether its operation was never requested before, so that it must be planned. */
  readonly isNew: boolean;
  /** @defaultValue no key is sent */
  readonly idempotencyKey?: string;
}

const GRAPHQL = '/graphql';
/** Number of selections of both lists of leaf fields together. */
const CHOICES = 2 ** (2 * ITEM_FIELDS);
/** Step that has no common divisor with the number of choices, so that each choice occurs once before any repeats. */
const STRIDE = 5_032_843;
/** Number of objects that requests name. */
const ITEMS = 50;

/** Returns a different selection of fields for each number. */
function fieldsOf(index: number): readonly string[] {
  const bits = (index * STRIDE) % CHOICES;
  const names = Array.from({ length: 2 * ITEM_FIELDS }, (_, position) =>
    position < ITEM_FIELDS ? `a${position}` : `b${position - ITEM_FIELDS}`,
  );
  return names.filter((_name, position) => (Math.floor(bits / 2 ** position) & 1) === 1);
}

/**
 * Creates the requests of a client that uses known operations, and sends one in five requests with a new operation, over GraphQL and REST.
 * Numbers continue from one measurement to the next, so that new operations stay new.
 */
export function createHonestRequests(): () => HonestRequest {
  let count = 0;
  return () => {
    const index = count;
    count += 1;
    const id = String(1 + (index % ITEMS));
    switch (index % 10) {
      case 0:
      case 5:
        return { path: `/items/${id}`, isNew: false };
      case 1:
        return { path: GRAPHQL, query: `{ item(id: "${id}") { id name a0 b0 related { id a1 b1 } } }`, isNew: false };
      case 2:
        return { path: '/items', isNew: false };
      case 3:
        return { path: GRAPHQL, query: `{ item(id: "${id}") { id ${fieldsOf(index).join(' ')} } }`, isNew: true };
      case 4:
        return { path: GRAPHQL, query: '{ items(first: 5) { id name b0 } }', isNew: false };
      case 6:
        return {
          path: GRAPHQL,
          query: `mutation { rename(id: "${id}", name: "n${index}") { id name } }`,
          idempotencyKey: `honest-${index}`,
          isNew: false,
        };
      case 7:
        return { path: `/items/${id}?fields=${['id', ...fieldsOf(index)].join(',')}`, isNew: true };
      case 8:
        return { path: GRAPHQL, query: `{ item(id: "${id}") { id name } }`, isNew: false };
      default:
        return { path: GRAPHQL, query: '{ items(first: 3) { id a0 a1 a2 } }', isNew: false };
    }
  };
}
