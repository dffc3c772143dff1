import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, ScriptSession } from './database.ts';

/** The SQL files of one schema, in the order of their names. */
export interface MigrationSet {
  /** Name of the PostgreSQL schema that the files fill; it is made first. */
  readonly schema: string;
  readonly files: readonly MigrationFile[];
}

export interface MigrationFile {
  /** `0001-users.sql` */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
}

const MIGRATION_LOCK = 7_201_002;

/** @throws Error with a plain sentence when a file is not named like `0001-what-it-does.sql`, or two share a number */
export async function readMigrations(schema: string, directory: string): Promise<MigrationSet> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`${join(directory, name)}: a migration is named like 0001-what-it-does.sql.`);
    if (numbers.has(number)) throw new Error(`${join(directory, name)}: the number ${number} is taken twice.`);
    numbers.add(number);
  }
  const files = await Promise.all(
    names.map(async (name) => {
      // Line ends are the checkout's affair, not the migration's.
      const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
  return { schema, files };
}

/** One value for all files, to tell whether a stored database fits. */
export function checksumOf(sets: readonly MigrationSet[]): string {
  const lines = sets.flatMap(({ schema, files }) => files.map(({ name, checksum }) => `${schema}/${name} ${checksum}`));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/**
 * Applies, in one transaction, what has not been applied: set by set in the given order, file by file. Processes that
 * start at the same time on one server wait for each other.
 *
 * @returns the files applied, as `schema/name`
 * @throws Error with a plain sentence when an applied file was changed, removed or overtaken
 */
export async function migrate(database: Database, sets: readonly MigrationSet[]): Promise<readonly string[]> {
  return database.scripts(async (session) => {
    await session.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await session.script(`
      create schema if not exists kit;
      create table if not exists kit.migrations (
        schema_name text not null, name text not null, checksum text not null, applied_at timestamptz not null default now(),
        primary key (schema_name, name)
      );`);
    const applied: string[] = [];
    for (const set of sets) applied.push(...(await migrateSchema(session, set)));
    return applied;
  });
}

async function migrateSchema(session: ScriptSession, { schema, files }: MigrationSet): Promise<readonly string[]> {
  const records = await session.query('select name, checksum from kit.migrations where schema_name = $1 order by name', [schema]);
  for (const [position, { name, checksum }] of records.entries()) {
    const file = files[position];
    if (file?.name !== name) throw new Error(`The database has the migration ${schema}/${String(name)}, which is not the next file here.`);
    if (file?.checksum !== checksum) {
      throw new Error(`The migration ${schema}/${String(name)} was changed after it was applied. Add a new file instead.`);
    }
  }
  const pending = files.slice(records.length);
  if (!/^[a-z_]+$/.test(schema)) throw new Error(`${schema} is no name for a schema: small letters and underscores.`);
  await session.script(`create schema if not exists ${schema}`);
  for (const { name, text, checksum } of pending) {
    await session.script(text);
    await session.query('insert into kit.migrations (schema_name, name, checksum) values ($1, $2, $3)', [schema, name, checksum]);
  }
  return pending.map(({ name }) => `${schema}/${name}`);
}
