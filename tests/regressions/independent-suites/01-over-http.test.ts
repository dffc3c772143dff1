import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';
import { signToken } from '../../support/identity/tokens.ts';

/** Writes a document of about 13 KB that takes 3 MB when it is printed, because each line is indented by the level of its selection. */
function bomb(nonce: number): string {
  const [lines, levels] = [3_000, 500];
  return `mutation { a${nonce}${' { a'.repeat(levels)}(b: """${'\n.'.repeat(lines)}""")${' }'.repeat(levels)} }`;
}

describe('point 01: mutations with an Idempotency-Key, over HTTP', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway();
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  const token = signToken({ sub: '7' }, { key: DEVELOPMENT_KEY });

  async function send(nonce: number): Promise<number> {
    const response = await fetch(`${library.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        authorization: `Bearer ${token}`,
        'idempotency-key': `"key ${nonce}"`,
      },
      body: JSON.stringify({ query: bomb(nonce) }),
    });
    const { errors } = (await response.json()) as { errors: readonly { extensions: { code: string } }[] };
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([expect.stringMatching(/_LIMIT_EXCEEDED$/)]);
    return response.status;
  }

  it('are rejected beyond a document limit, and leave nothing in memory', async () => {
    expect(await send(0)).toBe(400);
    const before = await retainedBytes();
    for (let nonce = 1; nonce <= 10; nonce += 1) expect(await send(nonce)).toBe(400);
    expect(await grownBytes(before, 3_000_000)).toBeLessThan(3_000_000);
  });
});
