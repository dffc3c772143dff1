import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { OpenedDatabase } from '../../../subgraphs/kit/storage/open-database.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';

/** Lists paths below a directory, including the directory, to which users other than the owner have permissions. */
async function findOpenToOthers(path: string): Promise<readonly string[]> {
  const status = await lstat(path);
  const own = (status.mode & 0o077) === 0 ? [] : [`${path} ${(status.mode & 0o777).toString(8)}`];
  if (!status.isDirectory()) return own;
  const below = await Promise.all((await readdir(path)).map(async (name) => findOpenToOthers(join(path, name))));
  return [...own, ...below.flat()];
}

/** Makes PostgreSQL create, rewrite and remove files while it runs. */
async function makeFiles({ database }: OpenedDatabase, name: string): Promise<void> {
  await database.scripts(async ({ script }) =>
    script(
      `create table public.${name} (a int); insert into public.${name} select generate_series(1, 1000); create index on public.${name} (a)`,
    ),
  );
}

describe('point 08: permissions below the data directory', () => {
  let parent: string;
  let previousMask: number;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'private-'));
    previousMask = process.umask(0);
  });
  afterAll(async () => {
    process.umask(previousMask);
    await rm(parent, { recursive: true });
  });

  it('are restricted to the owner after a first start, under any mask', async () => {
    const directory = join(parent, 'made/data');
    const storage = await openStorage({ directory, log: silentLogger });
    await makeFiles(storage, 'first_files');
    expect(await findOpenToOthers(join(parent, 'made'))).toEqual([]);
    await storage.close();
    expect(await findOpenToOthers(join(parent, 'made'))).toEqual([]);
  });

  it('are corrected if an earlier version created them', async () => {
    const directory = join(parent, 'made/data');
    await chmod(directory, 0o755);
    await chmod(join(directory, 'base'), 0o755);
    await chmod(join(directory, 'PG_VERSION'), 0o666);
    const storage = await openStorage({ directory, log: silentLogger });
    await makeFiles(storage, 'second_files');
    expect(await findOpenToOthers(directory)).toEqual([]);
    await storage.close();
  });
});
