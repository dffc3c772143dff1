import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storeDevelopmentKey } from '../../../../../subgraphs/webhooks/secrets/development-key.ts';

describe('the development key of webhooks', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'webhooks-key-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it('is different each time without a directory', async () => {
    const keys = [await storeDevelopmentKey(undefined), await storeDevelopmentKey(undefined)];
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(keys).size).toBe(2);
  });

  it('is created once for concurrent callers, readable only by its owner', async () => {
    const directory = join(parent, 'new', 'data');
    const keys = await Promise.all(Array.from({ length: 8 }, async () => storeDevelopmentKey(directory)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(join(parent, 'new'))).toEqual(['data.webhooks-key']);
    expect((await stat(`${directory}.webhooks-key`)).mode & 0o777).toBe(0o600);
    expect(await storeDevelopmentKey(directory)).toBe(keys[0]);
  });

  it('is read from an existing file, which stays unchanged', async () => {
    const directory = join(parent, 'kept');
    await writeFile(`${directory}.webhooks-key`, 'k'.repeat(32));
    expect(await storeDevelopmentKey(directory)).toBe('k'.repeat(32));
    expect(await readFile(`${directory}.webhooks-key`, 'utf8')).toBe('k'.repeat(32));
  });
});
