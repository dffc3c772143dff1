import type { Attack } from './attack.ts';
import { sendPost } from './send-post.ts';

const VARIANTS = 10_000;
const CONDITIONS = 5;
/** Fields of a book that documents pick from. */
const FIELDS = ['id', 'title', 'price', 'stock', 'version', 'updatedAt'];

/** 10,000 variants: documents with each combination of five conditions, in turn and without end. */
export const operationVariants: Attack = {
  name: 'operation-variants',
  point: 24,
  async run(target, signal) {
    for (let index = 0; !signal.aborted; index = (index + 1) % VARIANTS) {
      const bits = index % 2 ** CONDITIONS;
      const query = documentOf(Math.floor(index / 2 ** CONDITIONS));
      const variables = Object.fromEntries(Array.from({ length: CONDITIONS }, (_, place) => [`c${place}`, ((bits >> place) & 1) === 1]));
      await sendPost(target, JSON.stringify({ query, variables }), { signal });
    }
  },
};

/** The alias names of a document are ignored by the cache of plans, so documents differ by the fields that they ask for, and their order. */
function documentOf(index: number): string {
  const conditions = Array.from({ length: CONDITIONS }, (_, place) => place);
  const declared = conditions.map((place) => `$c${place}: Boolean!`).join(' ');
  const fields = FIELDS.toSorted((one, other) => rank(one, index) - rank(other, index)).slice(0, 1 + (index % FIELDS.length));
  const parts = conditions.map((place) => `b${place}: book(id: ${place + 1}) @include(if: $c${place}) { ${fields.join(' ')} }`);
  return `query Q${index} (${declared}) { ${parts.join(' ')} }`;
}

/** A different order of the fields for each document. */
function rank(field: string, index: number): number {
  return (FIELDS.indexOf(field) * 7 + index * 13 * (FIELDS.indexOf(field) + 1)) % 101;
}
