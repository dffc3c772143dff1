import type { Attack } from './attack.ts';
import { ITEM_FIELDS } from './attacked-graph.ts';
import { sendAtRate, sendPost } from './send-post.ts';

const CONDITIONS = 5;
const COMBINATIONS = 2 ** CONDITIONS;
/** Rate that creates 10,000 variants within a minute. @unit variants per second */
const RATE = 170;
const MAX_PENDING = 8;
/** Two numbers without a common divisor, so that all pairs of choices occur before one repeats. */
const CHOICES = [4_093, 4_091];

/** Sends 10,000 variants in a minute: documents with each of the 32 combinations of five conditions, all of a signed-in user. */
export const operationVariants: Attack = {
  name: 'operation-variants',
  point: 24,
  minRate: 0.8 * RATE,
  minAccepted: 0.8 * RATE,
  // The finding was made without a budget: in a population of callers, each has its own.
  settings: { GATEFOLD_BUDGET__MODE: 'measure' },
  async run(target, tally, signal) {
    const headers = { authorization: `Bearer ${target.userToken}` };
    const send = async (index: number): Promise<void> => {
      const query = documentOf(Math.floor(index / COMBINATIONS));
      const isSet = (position: number): boolean => ((index >> position) & 1) === 1;
      const variables = Object.fromEntries(Array.from({ length: CONDITIONS }, (_, position) => [`c${position}`, isSet(position)]));
      await sendPost(target, JSON.stringify({ query, variables }), { headers, tally, signal });
    };
    await sendAtRate(send, { perSecond: RATE, maxPending: MAX_PENDING, signal });
  },
};

/** The plan cache ignores aliases and names of operations, so each document selects different fields. */
function documentOf(index: number): string {
  const conditions = Array.from({ length: CONDITIONS }, (_, position) => position);
  const declared = conditions.map((position) => `$c${position}: Boolean!`).join(' ');
  const [first = 0, second = 0] = CHOICES.map((count) => (index * 37 + 1) % count);
  const fields = `${choose('a', first)} ${choose('b', second)}`;
  const parts = conditions.map(
    (position) => `i${position}: item(id: ${position + 1}) @include(if: $c${position}) { id ${fields} related { ${fields} } }`,
  );
  return `query (${declared}) { ${parts.join(' ')} }`;
}

function choose(prefix: string, bits: number): string {
  return Array.from({ length: ITEM_FIELDS }, (_, position) => position)
    .filter((position) => ((bits >> position) & 1) === 1)
    .map((position) => `${prefix}${position}`)
    .join(' ');
}
