import { ITEM_FIELDS } from './attacked-graph.ts';

/** A request of the honest caller. */
export interface HonestRequest {
  /** Operation that is posted. @defaultValue a GET of `path` is sent */
  readonly query?: string;
  readonly path: string;
  /** Whether nobody has asked for its operation before, so that it must be planned. */
  readonly isNew: boolean;
  /** @defaultValue none is sent */
  readonly idempotencyKey?: string;
}

const GRAPHQL = '/graphql';
/** Of both lists of leaf fields together. */
const CHOICES = 2 ** (2 * ITEM_FIELDS);
/** Has no divisor in common with the choices, so that each comes once before any comes again. */
const STRIDE = 5_032_843;
/** Objects that requests name. */
const ITEMS = 50;

/** Another selection of fields for each number. */
function fieldsOf(index: number): readonly string[] {
  const bits = (index * STRIDE) % CHOICES;
  const names = Array.from({ length: 2 * ITEM_FIELDS }, (_, position) =>
    position < ITEM_FIELDS ? `a${position}` : `b${position - ITEM_FIELDS}`,
  );
  return names.filter((_name, position) => (Math.floor(bits / 2 ** position) & 1) === 1);
}

/**
 * Makes the requests of a client that knows some operations by heart and asks for one in five for the first time, by GraphQL and by REST.
 * Numbers continue from one measurement to the next, so that what is new stays new.
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
