import type { Attack } from './attack.ts';
import { CHAIN_TYPES } from './attacked-graph.ts';
import { sendPost } from './send-post.ts';

/** Number of requests in flight at a time. */
const CONCURRENCY = 20;
const MAX_DEPTH = 8;

/** Nests the interface, with fragments on some of its types, so that no two operations are alike. */
function chainOf(index: number): string {
  let text = '{ id name }';
  for (let level = 0; level < 3 + (index % (MAX_DEPTH - 2)); level += 1) {
    // The innermost levels encode the number, which makes each operation different.
    const type = Math.floor(index / CHAIN_TYPES ** (level % 3)) % CHAIN_TYPES;
    const other = (index * 11 + level * 17) % CHAIN_TYPES;
    text = `{ id ... on Link${type} { own${type} } ... on Link${other} { name } next ${text} }`;
  }
  return `{ shared ${text} }`;
}

/** Sends operations of a signed-in user that chain an interface of 60 types, each one new to the planner, 20 at a time. */
export const interfaceChains: Attack = {
  name: 'interface-chains',
  point: 2,
  minRate: 1,
  async run(target, tally, signal) {
    const headers = { authorization: `Bearer ${target.userToken}` };
    const work = async (): Promise<void> => {
      while (!signal.aborted) {
        await sendPost(target, JSON.stringify({ query: chainOf(tally.sent) }), { headers, tally, signal });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  },
};
