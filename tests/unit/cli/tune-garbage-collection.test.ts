import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

const run = promisify(execFile);

/** Fills the young generation with objects that survive, and prints its size in bytes. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { tuneGarbageCollection } from './cli/tune-garbage-collection.ts';
  tuneGarbageCollection([process.env.NODE_OPTIONS]);
  const ring = new Array(150_000);
  for (let round = 0, index = 0; round < 120; round += 1) {
    for (let count = 0; count < 20_000; count += 1) ring[index++ % ring.length] = { index, list: [index], text: 'x' + index };
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  console.log(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size);
`;

async function youngGenerationOf(nodeOptions: string): Promise<number> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, args, { cwd: packageRoot, env: { ...process.env, NODE_OPTIONS: nodeOptions } });
  return Number(stdout) / 1_048_576;
}

describe('the young generation of a process that serves', () => {
  it('does not grow beyond 16 MB for each half, and somewhat more on Node.js 26', async () => {
    expect(await youngGenerationOf('')).toBeLessThanOrEqual(50);
  });

  it('has the size that the operator has set', async () => {
    expect(await youngGenerationOf('--max-semi-space-size=32')).toBeGreaterThan(50);
  });
});
