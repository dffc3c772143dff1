import { sql } from 'drizzle-orm';
import { pgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { instant } from '../../../subgraphs/kit/database/columns.ts';
import { classifyDatabaseFailure } from '../../../subgraphs/kit/database/database-failure.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';
import { describeOnServer } from '../../support/stack/subgraphs-stack.ts';
import { type ThrowawayDatabase, createThrowawayDatabase } from '../../support/database/throwaway-database.ts';

describeOnServer('a database on a server', () => {
  let throwaway: ThrowawayDatabase;
  const opened: Database[] = [];
  const open = (settings: { readonly statementTimeoutMs?: number } = {}): Database => {
    const database = openServerDatabase({
      url: throwaway.url,
      log: silentLogger,
      maxConnections: 3,
      statementTimeoutMs: 20_000,
      ...settings,
    });
    opened.push(database);
    return database;
  };
  const failureOf = async (work: PromiseLike<unknown>) => Promise.resolve(work).then(() => 'none', classifyDatabaseFailure);

  beforeAll(async () => {
    throwaway = await createThrowawayDatabase();
  });
  afterAll(async () => {
    await Promise.all(opened.map(async (database) => database.close()));
    await throwaway[Symbol.asyncDispose]();
  });

  it('is migrated and seeded once by processes that start concurrently', async () => {
    const storages = await Promise.all([1, 2, 3].map(async () => openStorage({ databaseUrl: throwaway.url, log: silentLogger })));
    const counted = await open().scripts(async ({ query }) =>
      query('select (select count(*)::int from users.users) as users, (select count(*)::int from kit.seeds) as seeds'),
    );
    expect(counted).toEqual([{ users: 200, seeds: 1 }]);
    await Promise.all(storages.map(async (storage) => storage.close()));
  });

  it('returns UTC instants and READ COMMITTED despite custom database settings', async () => {
    await using custom = await createThrowawayDatabase();
    const name = new URL(custom.url).pathname.slice(1);
    await open().scripts(async ({ script }) =>
      script(`alter database ${name} set datestyle = 'SQL, DMY'; alter database ${name} set timezone = 'Asia/Kolkata';
        alter database ${name} set default_transaction_isolation = 'serializable';`),
    );
    const database = openServerDatabase({ url: custom.url, log: silentLogger });
    await database.scripts(async ({ script }) => script('create table moments (at timestamptz(3))'));
    const moments = pgTable('moments', { at: instant() });
    const at = new Date('2026-02-01T23:30:00.123Z');
    await database.sql.insert(moments).values({ at });
    expect(await database.sql.select().from(moments)).toEqual([{ at }]);
    const isolation = await database.transaction(async (tx) => tx.execute(sql`show transaction_isolation`));
    expect(isolation.rows).toEqual([{ transaction_isolation: 'read committed' }]);
    await database.close();
  });

  it('classifies a statement timeout as too slow and remains usable', async () => {
    const database = open({ statementTimeoutMs: 200 });
    expect(await failureOf(database.sql.execute(sql`select pg_sleep(30)`))).toBe('too-slow');
    expect(await failureOf(database.transaction(async (tx) => tx.execute(sql`select pg_sleep(30)`)))).toBe('too-slow');
    expect(await failureOf(database.sql.execute(sql`select 1`))).toBe('none');
  });

  it('opens new connections after the server terminates idle and busy ones', async () => {
    const [database, operator] = [open(), open()];
    const cut = async (pid: unknown) => operator.sql.execute(sql`select pg_terminate_backend(${pid}::int)`);
    const backend = async (handle: Pick<Database['sql'], 'execute'>) =>
      (await handle.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid;
    const failed = await failureOf(
      database.transaction(async (tx) => {
        await cut(await backend(tx));
        await tx.execute(sql`select 1`);
      }),
    );
    expect(failed).toBe('unavailable');
    await cut(await backend(database.sql));
    const responses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) responses.push(await failureOf(database.sql.execute(sql`select 1`)));
    expect(responses.at(-1)).toBe('none');
  });

  it('retries the transaction that the server aborts in a deadlock', async () => {
    const database = open();
    await database.scripts(async ({ script }) =>
      script('create table rows (id int primary key, n int); insert into rows values (1, 0), (2, 0);'),
    );
    const both = [gate(), gate()] as const;
    const runs = [0, 0];
    const moves: Promise<void>[] = [];
    const move = async (own: 0 | 1) =>
      database.transaction(async (tx) => {
        runs[own] = (runs[own] ?? 0) + 1;
        // Otherwise the transaction could lock its row again before the other one wakes up to lock it.
        if (runs[own] > 1) await moves[1 - own];
        await tx.execute(sql`update rows set n = n + 1 where id = ${own + 1}`);
        both[own].open();
        await both[own === 0 ? 1 : 0].opened;
        await tx.execute(sql`update rows set n = n + 1 where id = ${2 - own}`);
      });
    moves.push(move(0), move(1));
    await Promise.all(moves);
    expect((await database.sql.execute(sql`select n from rows order by id`)).rows).toEqual([{ n: 2 }, { n: 2 }]);
    expect((runs[0] ?? 0) + (runs[1] ?? 0)).toBe(3);
  });
});

/** Creates a promise that a test resolves. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
