import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../../../subgraphs/kit/database/database.ts';
import { openSampleDatabase } from '../../../../support/database/sample-database.ts';

describe('the embedded database', () => {
  let database: Database;
  const count = async () => Number((await database.sql.execute<{ n: number }>(sql`select count(*)::int as n from things`)).rows[0]?.n);

  beforeAll(async () => {
    // An empty database costs five times as much.
    database = await openSampleDatabase();
    await database.scripts(async ({ script }) => script('create table things (id int primary key)'));
  });
  afterAll(async () => database.close());

  it('rejects the outer handle inside a transaction instead of waiting for itself', async () => {
    await expect(database.transaction(async () => database.sql.execute(sql`select 1`))).rejects.toThrow(
      'Inside a transaction, use the handle that the transaction provides.',
    );
  });

  it('retains a write outside a transaction that is rolled back', async () => {
    const before = await count();
    const undone = database.transaction(async (tx) => {
      await tx.execute(sql`insert into things values (1)`);
      throw new Error('no');
    });
    const concurrent = database.sql.execute(sql`insert into things values (2)`);
    await expect(undone).rejects.toThrow('no');
    await concurrent;
    expect(await count()).toBe(before + 1);
  });

  it('commits exactly the successful half of 40 concurrent transactions', async () => {
    const before = await count();
    const runs = Array.from({ length: 40 }, async (_, index) =>
      database.transaction(async (tx) => {
        await tx.execute(sql`insert into things values (${100 + index})`);
        await tx.execute(sql`select 1`);
        if (index % 2 === 0) throw new Error('even');
      }),
    );
    const results = await Promise.allSettled(runs);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await count()).toBe(before + 20);
  });

  it('a disposed observer receives no more statements', async () => {
    const heard: string[] = [];
    const observer = database.observe(({ text }) => heard.push(text));
    await database.sql.execute(sql`select 1`);
    observer[Symbol.dispose]();
    await database.sql.execute(sql`select 2`);
    expect(heard).toEqual(['select 1']);
  });
});
