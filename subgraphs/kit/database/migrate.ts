import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, ScriptSession } from './database.ts';

/** SQL files of one schema, in the order of their names. */
export interface MigrationSet {
  /** Name of the PostgreSQL schema, which is created first. */
  readonly schema: string;
  readonly files: readonly MigrationFile[];
}

export interface MigrationFile {
  /** File name, such as `0001-users.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
}

const MIGRATION_LOCK = 7_201_002;

/**
 * Reads the migrations of a schema.
 *
 * @throws Error when a file name does not match `0001-what-it-does.sql`, or two files have the same number
 */
export async function readMigrations(schema: string, directory: string): Promise<MigrationSet> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
    if (number === undefined)
      throw new Error(`${join(directory, name)}: The name of a migration must have the form 0001-what-it-does.sql.`);
    if (numbers.has(number)) throw new Error(`${join(directory, name)}: Another migration already has the number ${number}.`);
    numbers.add(number);
  }
  const files = await Promise.all(
    names.map(async (name) => {
      // Line ends depend on the checkout and are not part of the migration.
      const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
  return { schema, files };
}

/** Computes one checksum of all files, with which a stored database is compared. */
export function checksumOf(sets: readonly MigrationSet[]): string {
  const lines = sets.flatMap(({ schema, files }) => files.map(({ name, checksum }) => `${schema}/${name} ${checksum}`));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/**
 * Applies all pending migrations in one transaction, in the given order of the sets and in the order of the files. Processes that start at
 * the same time on one server wait for each other.
 *
 * @returns the applied files, as `schema/name`
 * @throws Error when an applied file was changed or removed, or a new file precedes it
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
    if (file?.name !== name)
      throw new Error(`The database contains the migration ${schema}/${String(name)}, which is not the next migration file.`);
    if (file?.checksum !== checksum) {
      throw new Error(`The migration ${schema}/${String(name)} was changed after it was applied. Add a new file instead.`);
    }
  }
  const pending = files.slice(records.length);
  if (!/^[a-z_]+$/.test(schema)) throw new Error(`The schema name ${schema} is invalid: use only lowercase letters and underscores.`);
  await session.script(`create schema if not exists ${schema}`);
  for (const { name, text, checksum } of pending) {
    await session.script(text);
    await session.query('insert into kit.migrations (schema_name, name, checksum) values ($1, $2, $3)', [schema, name, checksum]);
  }
  return pending.map(({ name }) => `${schema}/${name}`);
}
