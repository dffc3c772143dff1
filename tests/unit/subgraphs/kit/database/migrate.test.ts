import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../../../subgraphs/kit/database/database.ts';
import { type MigrationFile, migrate, readMigrations } from '../../../../../subgraphs/kit/database/migrate.ts';
import { openSampleDatabase } from '../../../../support/database/sample-database.ts';

const file = (name: string, text: string): MigrationFile => ({ name, text, checksum: createHash('sha256').update(text).digest('hex') });
const FIRST = file('0001-first.sql', 'create table shop.things (id int); insert into shop.things values (1);');
const SECOND = file('0002-second.sql', 'insert into shop.things values (2);');

describe('migrate', () => {
  let database: Database;
  const things = async () =>
    database.scripts(async ({ query }) => (await query('select id from shop.things order by id')).map(({ id }) => id));

  beforeAll(async () => {
    // The snapshot of the build costs a fifth of an empty database, and has no `shop` schema.
    database = await openSampleDatabase();
  });
  afterAll(async () => database.close());

  it('rolls back the whole run when a file fails', async () => {
    const broken = file('0002-broken.sql', 'insert into shop.things values (9); select nonsense;');
    await expect(migrate(database, [{ schema: 'shop', files: [FIRST, broken] }])).rejects.toThrow('nonsense');
    await expect(things()).rejects.toThrow('shop.things');
  });

  it('applies each file once in several runs', async () => {
    expect(await migrate(database, [{ schema: 'shop', files: [FIRST] }])).toEqual(['shop/0001-first.sql']);
    expect(await migrate(database, [{ schema: 'shop', files: [FIRST, SECOND] }])).toEqual(['shop/0002-second.sql']);
    expect(await migrate(database, [{ schema: 'shop', files: [FIRST, SECOND] }])).toEqual([]);
    expect(await things()).toEqual([1, 2]);
  });

  it.each([
    ['a changed file', [file('0001-first.sql', 'select 1;'), SECOND], 'shop/0001-first.sql was changed after it was applied'],
    ['a deleted file', [FIRST], 'shop/0002-second.sql, which is not the next migration file'],
    [
      'a file between applied ones',
      [FIRST, file('0001-zwischen.sql', ''), SECOND],
      'shop/0002-second.sql, which is not the next migration file',
    ],
  ])('rejects %s and names the migration', async (_what, files, message) => {
    await expect(migrate(database, [{ schema: 'shop', files }])).rejects.toThrow(message);
    expect(await things()).toEqual([1, 2]);
  });
});

describe('readMigrations', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  });
  afterAll(async () => rm(directory, { recursive: true }));

  it('rejects a file without a number and a duplicate number, and names it', async () => {
    await writeFile(join(directory, 'first.sql'), '');
    await expect(readMigrations('shop', directory)).rejects.toThrow(
      'first.sql: The name of a migration must have the form 0001-what-it-does.sql',
    );
    await rm(join(directory, 'first.sql'));
    await writeFile(join(directory, '0001-a.sql'), '');
    await writeFile(join(directory, '0001-b.sql'), '');
    await expect(readMigrations('shop', directory)).rejects.toThrow('Another migration already has the number 0001');
    await rm(join(directory, '0001-b.sql'));
  });

  it('the checksum does not depend on line endings', async () => {
    const checksum = async (text: string) => {
      await writeFile(join(directory, '0001-a.sql'), text);
      return (await readMigrations('shop', directory)).files[0]?.checksum;
    };
    expect(await checksum('a\r\nb')).toBe(await checksum('a\nb'));
  });
});
