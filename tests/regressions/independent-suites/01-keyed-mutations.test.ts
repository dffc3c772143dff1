import { describe, expect, it } from '@jest/globals';
import { createAdmission } from '../../../gateway/operation/limits/admit-document.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { DEFAULT_LIMITS } from '../../support/gateway/default-limits.ts';
import { newPipeline, requestFor } from '../../support/gateway/new-pipeline.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';

/** Default of `graphql.maxTokens`. @unit tokens */
const MAX_TOKENS = 4_000;
const limited = {
  maxTokens: MAX_TOKENS,
  admit: createAdmission({ maxTokens: MAX_TOKENS, limits: { ...DEFAULT_LIMITS, mode: 'enforce' } }),
};
const KEY = (): string => 'key-1';

/** Writes a document of many lines below many selections. Printed, the document would be hundreds of times longer. */
function bomb(lines: number, levels: number, nonce = 0): string {
  return `mutation { a${nonce}${' { a'.repeat(levels)}(b: """${'\n.'.repeat(lines)}""")${' }'.repeat(levels)} }`;
}

describe('point 01: mutations with an Idempotency-Key', () => {
  it.each([
    ['too many lines in a block string', bomb(MAX_TOKENS + 1, 1)],
    ['too many levels', bomb(1, 700)],
    ['both', bomb(150_000, 700)],
  ])('are not inspected for a key if the document has %s', async (_what, text) => {
    const { pipeline, keyMutation } = await newPipeline({ logger: silentLogger }, limited);
    let reads = 0;
    const keyed = await keyMutation(requestFor(text), () => {
      reads += 1;
      return KEY();
    });
    expect(keyed).toBeUndefined(); // The mutation runs without a key, and is rejected and charged there.
    expect(reads).toBe(0);
    await expect(pipeline.execute(requestFor(text))).rejects.toHaveProperty('code', expect.stringContaining('LIMIT_EXCEEDED'));
  });

  it('retain no more than the cache counts for documents within the limits', async () => {
    const { keyMutation } = await newPipeline({}, limited);
    const before = await retainedBytes();
    for (let index = 0; index < 400; index += 1) {
      await keyMutation(requestFor(bomb(3_900, 10, index)), KEY);
      await keyMutation(requestFor(`mutation { a${index}(b: "${'x'.repeat(50_000)}") }`), KEY);
    }
    // The cache of keyed mutations counts up to 4 MiB.
    expect(await grownBytes(before, 2 * 4_194_304)).toBeLessThan(2 * 4_194_304);
  });

  it('have a fingerprint of the text that the client sent', async () => {
    const { keyMutation } = await newPipeline({}, limited);
    const text = 'mutation  { rename(name: "x") }';
    const keyed = await keyMutation(requestFor(text, { variables: { b: 1 } }), KEY);
    expect(keyed?.parts).toEqual(['POST', '/graphql', text, '', { b: 1 }]);
  });
});
