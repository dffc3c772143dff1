import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { readAllMigrations } from '../../../../subgraphs/migration-order.ts';
import { openStorage } from '../../../../subgraphs/storage/open-storage.ts';
import { fingerprintOf, readSnapshot, writeSnapshot } from '../../../../subgraphs/storage/snapshot.ts';

const COUNTS = `select (select count(*)::int from users.users) as users, (select count(*)::int from posts.posts) as posts,
  (select count(*)::int from posts.comments) as comments, (select count(*)::int from catalogue.books) as books,
  (select count(*)::int from orders.orders) as orders, (select count(*)::int from payments.payments) as payments`;

describe('the storage of the reference subgraphs', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'storage-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it('names the database but not the password when the server is unreachable', async () => {
    const opening = openStorage({ databaseUrl: 'postgres://me:hunter2@127.0.0.1:1/shop', log: silentLogger });
    await expect(opening).rejects.toThrow('The database at 127.0.0.1:1/shop cannot be used');
    await expect(opening).rejects.not.toThrow('hunter2');
  });

  it('a directory retains its changes and gets the sample data once', async () => {
    const directory = join(parent, 'kept/data');
    // Leftovers of a process that ended while it created the directory.
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'half'), '');
    await writeFile(`${directory}.unfinished`, '');
    const first = await openStorage({ directory, log: silentLogger });
    const [counts] = await first.database.scripts(async ({ query }) => query(COUNTS));
    expect(counts).toEqual({ users: 200, posts: 1_000, comments: 3_000, books: 500, orders: 2_000, payments: 1_000 });
    await first.database.scripts(async ({ query }) => query('delete from payments.payments where id <= 10'));
    await first.close();
    const second = await openStorage({ directory, log: silentLogger });
    expect(await second.database.scripts(async ({ query }) => query(COUNTS))).toEqual([{ ...counts, payments: 990 }]);
    await second.close();
    expect(await readdir(join(parent, 'kept'))).toEqual(['data']);
  });

  it('a snapshot with everything is used only when its migrations match', async () => {
    const directory = join(parent, 'snapshot');
    const migrations = await readAllMigrations();
    const storage = await openStorage({ log: silentLogger });
    expect(await readSnapshot(migrations, directory)).toBeUndefined();
    await writeSnapshot(storage.database, await fingerprintOf(migrations), directory);
    await storage.close();
    expect(await readSnapshot(migrations.slice(1), directory)).toBeUndefined();
    expect((await readSnapshot(migrations, directory))?.size).toBeGreaterThan(1_000_000);
    expect(existsSync(join(directory, 'fingerprint'))).toBe(true);
  });
});
