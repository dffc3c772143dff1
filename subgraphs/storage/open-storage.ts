import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { describeFileFailure } from '../../gateway/platform/file-errors.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { classifyDatabaseFailure } from '../kit/database/database-failure.ts';
import type { Database } from '../kit/database/database.ts';
import { type MigrationSet, migrate } from '../kit/database/migrate.ts';
import { openEmbeddedDatabase } from '../kit/database/open-embedded-database.ts';
import { openServerDatabase } from '../kit/database/open-server-database.ts';
import { readAllMigrations } from '../migration-order.ts';
import { seedDatabase } from '../seed/seed-database.ts';
import { LOCK_FILE, lockDirectory } from './directory-lock.ts';
import { makePrivate } from './private-files.ts';
import { readSnapshot } from './snapshot.ts';

export interface StorageOptions {
  /** Value of `GATEFOLD_REFERENCE_DATABASE_URL`: a PostgreSQL server. Without it, the database is embedded. */
  readonly databaseUrl?: string | undefined;
  /** Data directory of an embedded database; in memory when absent. */
  readonly directory?: string | undefined;
  /** Whether a new embedded database uses the snapshot of the build. @defaultValue true */
  readonly useSnapshot?: boolean;
  readonly log: Logger;
}

/** A migrated database with the sample data. */
export interface Storage {
  readonly database: Database;
  /** Describes the location of the data to the user, without a password: `embedded PostgreSQL in .gatefold/data`. */
  readonly description: string;
  close(): Promise<void>;
}

/** @throws Error when the data is in use or cannot be stored, the server does not respond, or a migration does not match */
export async function openStorage({ databaseUrl, directory, useSnapshot = true, log }: StorageOptions): Promise<Storage> {
  const migrations = await readAllMigrations();
  if (databaseUrl !== undefined) return openServerStorage(databaseUrl, migrations, log);
  const snapshot = async () => (useSnapshot ? readSnapshot(migrations) : undefined);
  if (directory !== undefined) return openDescribed(directory, async () => openDirectoryStorage(directory, migrations, snapshot));
  return prepare(await openEmbedded(undefined, await snapshot()), migrations, 'embedded PostgreSQL in memory');
}

async function openServerStorage(databaseUrl: string, migrations: readonly MigrationSet[], log: Logger): Promise<Storage> {
  try {
    return await prepare(openServerDatabase({ url: databaseUrl, log }), migrations, `PostgreSQL at ${locationOf(databaseUrl)}`);
  } catch (cause) {
    if (classifyDatabaseFailure(cause) !== 'unavailable') throw cause;
    throw new Error(
      `The database at ${locationOf(databaseUrl)} cannot be used: ${cause instanceof Error ? cause.message || 'no response' : 'no response'}.`,
      {
        cause,
      },
    );
  }
}

/** Describes file errors such as a full disk or a missing permission, which the embedded database reports as numbers. */
async function openDescribed(directory: string, openDirectory: () => Promise<Storage>): Promise<Storage> {
  try {
    return await openDirectory();
  } catch (cause) {
    const reason = describeFileFailure(cause) ?? (cause instanceof Error ? undefined : describeForeign(cause));
    if (reason === undefined) throw cause;
    throw new Error(`The data directory ${directory} cannot be used: ${reason} (GATEFOLD_DATA_DIR).`, { cause });
  }
}

/** Describes a thrown value that is not an `Error`. Such values of the embedded database have at most a message. */
function describeForeign(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : JSON.stringify(thrown);
}

/** File that marks a directory with an incomplete database. */
const UNFINISHED_FILE = 'gatefold.unfinished';

async function openDirectoryStorage(
  path: string,
  migrations: readonly MigrationSet[],
  snapshot: () => Promise<Blob | undefined>,
): Promise<Storage> {
  const lock = await lockDirectory(path);
  const { directory } = lock;
  const unfinished = join(directory, UNFINISHED_FILE);
  // Path of the marker in earlier versions.
  const unfinishedAfter = `${directory}.unfinished`;
  try {
    // A process that ended while it created the database has left files that PostgreSQL cannot use and that contain no user data.
    if (existsSync(unfinished) || existsSync(unfinishedAfter)) await removeAllBut([LOCK_FILE, UNFINISHED_FILE], directory);
    await makePrivate(directory);
    const isFresh = (await readdir(directory)).every((name) => name === LOCK_FILE || name === UNFINISHED_FILE);
    if (isFresh) await writeFile(unfinished, '', { mode: 0o600 });
    await rm(unfinishedAfter, { force: true });
    const description = `embedded PostgreSQL in ${shorten(path)}`;
    const storage = await prepare(await openEmbedded(directory, isFresh ? await snapshot() : undefined), migrations, description);
    await rm(unfinished, { force: true });
    return {
      ...storage,
      async close() {
        await storage.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function removeAllBut(stored: readonly string[], directory: string): Promise<void> {
  const others = (await readdir(directory)).filter((name) => !stored.includes(name));
  for (const name of others) await rm(join(directory, name), { recursive: true, force: true });
}

async function openEmbedded(directory: string | undefined, snapshot: Blob | undefined): Promise<Database> {
  return openEmbeddedDatabase({ ...(directory === undefined ? {} : { directory }), ...(snapshot === undefined ? {} : { snapshot }) });
}

async function prepare(database: Database, migrations: readonly MigrationSet[], description: string): Promise<Storage> {
  try {
    await migrate(database, migrations);
    await seedDatabase(database);
    return { database, description, close: async () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Returns a directory relative to the working directory, or its absolute path if it is outside. */
function shorten(directory: string): string {
  const short = relative(process.cwd(), directory);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? directory : short;
}

/** Returns host and database of a URL, without user and password. */
function locationOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'GATEFOLD_REFERENCE_DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
