import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keepDevelopmentKey } from '../../../../../subgraphs/webhooks/secrets/development-key.ts';

describe('the key of a development', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'webhooks-key-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it('given no directory, when asked for, then it is another one each time', async () => {
    const keys = [await keepDevelopmentKey(undefined), await keepDevelopmentKey(undefined)];
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(keys).size).toBe(2);
  });

  it('given a directory that is not there yet, when many ask at once, then all get one key, which its owner alone may read', async () => {
    const directory = join(parent, 'new', 'data');
    const keys = await Promise.all(Array.from({ length: 8 }, async () => keepDevelopmentKey(directory)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(join(parent, 'new'))).toEqual(['data.webhooks-key']);
    expect((await stat(`${directory}.webhooks-key`)).mode & 0o777).toBe(0o600);
    expect(await keepDevelopmentKey(directory)).toBe(keys[0]);
  });

  it('given a key that is kept, when asked for, then it is that one and stays', async () => {
    const directory = join(parent, 'kept');
    await writeFile(`${directory}.webhooks-key`, 'k'.repeat(32));
    expect(await keepDevelopmentKey(directory)).toBe('k'.repeat(32));
    expect(await readFile(`${directory}.webhooks-key`, 'utf8')).toBe('k'.repeat(32));
  });
});
