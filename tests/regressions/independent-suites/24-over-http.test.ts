import { describe, expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { manySubgraphs } from '../../fixtures/many-subgraphs.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';

/** @unit bytes */
const MAX_BYTES = 1_000_000;
/** Tolerance for rough estimates: beyond this factor they would not bound anything. */
const FACTOR = 1.5;
/** Memory that does not depend on the number of operations: connections and field shapes. @unit bytes */
const FIXED_BYTES = 4_000_000;
const BOUND = FACTOR * MAX_BYTES + FIXED_BYTES;
const DOCUMENTS = 6;
const CONDITIONS = ['a', 'b', 'c', 'd', 'e'];
const BODY = [0, 1, 2, 3]
  .map((share) => `text${share} number${share} next${share} { id text0 text1 text2 text3 next1 { id text1 text2 } }`)
  .join(' ');

/** Writes a document with 32 combinations of conditions. */
function documentOf(index: number): string {
  const variables = CONDITIONS.map((name) => `$${name}: Boolean!`).join(' ');
  const included = CONDITIONS.map(
    (name, position) => `${name}: next${position % 4} @include(if: $${name}) { id text${position % 4} }`,
  ).join(' ');
  return `query (${variables}) { ${[0, 1, 2, 3].map((root) => `e${index + 7 * root} { ${BODY} ${included} }`).join(' ')} }`;
}

describe('point 24: variants of operations, over HTTP', () => {
  it('stay within maxCachedOperationBytes', async () => {
    const executor = Object.assign(async () => ({ data: {} }), { [Symbol.asyncDispose]: async () => undefined });
    await using gateway = await createGateway(
      {
        profile: 'dev',
        supergraph: { sdl: manySubgraphs({ subgraphs: 20, entities: 30 }) },
        server: { port: 0, internalPort: 0 },
        limits: { mode: 'measure' },
        budget: { mode: 'off' },
        graphql: { maxCachedOperationBytes: MAX_BYTES },
      },
      { logger: silentLogger, subgraphExecutor: () => executor },
    );
    const { url } = await gateway.listen();
    const request = async (index: number, bits: number): Promise<void> => {
      const variables = Object.fromEntries(CONDITIONS.map((name, position) => [name, ((bits >> position) & 1) === 1]));
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: documentOf(index), variables }),
      });
      expect(await response.json()).toHaveProperty('data');
    };
    await request(DOCUMENTS, 0);
    const before = await retainedBytes();
    for (let index = 0; index < DOCUMENTS; index += 1) for (let bits = 0; bits < 32; bits += 1) await request(index, bits);
    const grown = await grownBytes(before, BOUND);
    if (process.env['SHOW_BYTES'] !== undefined) console.info(grown);
    expect(grown).toBeLessThan(BOUND);
  }, 240_000);
});
