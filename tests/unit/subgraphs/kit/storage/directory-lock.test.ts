import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDirectory } from '../../../../../subgraphs/kit/storage/directory-lock.ts';

const SETTINGS = { url: 'DATABASE', directory: 'DATA_DIRECTORY', inMemory: 'DATA_DIRECTORY=memory' };

describe('the lock of a data directory', () => {
  let parent: string;
  let directory: string;
  let lockFile: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'lock-'));
    directory = join(parent, 'data');
    lockFile = join(directory, 'gatefold.lock');
  });
  afterEach(async () => rm(parent, { recursive: true }));

  it("rejects a second lock with the holder's process ID until it is released", async () => {
    const lock = await lockDirectory(directory, SETTINGS);
    await expect(lockDirectory(directory, SETTINGS)).rejects.toThrow(`The data in ${directory} is in use by process ${process.pid}.`);
    await lock.release();
    await lock.release();
    const next = await lockDirectory(directory, SETTINGS);
    await next.release();
  });

  it('rejects a second lock without an ID while the holder has not written its own', async () => {
    const lock = await lockDirectory(directory, SETTINGS);
    await writeFile(lockFile, '');
    await expect(lockDirectory(directory, SETTINGS)).rejects.toThrow('is in use by another process.');
    await lock.release();
  });

  it.each(['4194303 12345', `${process.pid} 1`, 'x', ''])('takes over an abandoned lock file with the content "%s"', async (content) => {
    await mkdir(directory);
    await writeFile(lockFile, content);
    const lock = await lockDirectory(directory, SETTINGS);
    expect(await readFile(lockFile, 'utf8')).toBe(`${process.pid}\n`);
    await lock.release();
  });

  it('creates a lock file that only its user can read', async () => {
    const lock = await lockDirectory(directory, SETTINGS);
    expect((await stat(lockFile)).mode & 0o777).toBe(0o600);
    await lock.release();
  });
});
