import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

const run = promisify(execFile);

/** Fills the young generation with objects that survive, and prints its size in bytes. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { tuneGarbageCollection } from './cli/tune-garbage-collection.ts';
  tuneGarbageCollection(JSON.parse(process.env.OPTIONS), process.env.V8_VERSION);
  const ring = new Array(150_000);
  for (let round = 0, index = 0; round < 120; round += 1) {
    for (let count = 0; count < 20_000; count += 1) ring[index++ % ring.length] = { index, list: [index], text: 'x' + index };
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  console.log(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size);
`;

/** Returns the size in a process whose V8 allows 32 MB for each half. @unit megabytes */
async function youngGenerationOf(options: readonly string[], v8Version: string): Promise<number> {
  const args = ['--max-semi-space-size=32', '--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const env = { ...process.env, OPTIONS: JSON.stringify(options), V8_VERSION: v8Version };
  const { stdout } = await run(process.execPath, args, { cwd: packageRoot, env });
  return Number(stdout) / 1_048_576;
}

describe('the young generation of a process that serves', () => {
  it('does not grow beyond 16 MB for each half since Node.js 24', async () => {
    expect(await youngGenerationOf([], '13.6.233')).toBeLessThanOrEqual(40);
  });

  it.each([
    ['has the size that the operator has set', ['--max_semi_space_size=32'], '13.6.233'],
    ['has the default size before Node.js 24', [], '12.4.254'],
  ])('%s', async (_what, options, v8Version) => {
    expect(await youngGenerationOf(options, v8Version)).toBeGreaterThan(50);
  });
});
