import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { describeFileFailure } from '../../../gateway/platform/file-errors.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { classifyDatabaseFailure } from '../database/database-failure.ts';
import type { Database } from '../database/database.ts';
import { type MigrationSet, migrate } from '../database/migrate.ts';
import type { DatabaseSettings } from './database-settings.ts';
import { LOCK_FILE, lockDirectory } from './directory-lock.ts';
import { makePrivate } from './private-files.ts';
import { StorageFailure } from './storage-failure.ts';

export interface OpenDatabaseOptions {
  /** PostgreSQL server. Without it, the database is embedded. */
  readonly url?: string | undefined;
  /** Data directory of an embedded database; in memory when absent. */
  readonly directory?: string | undefined;
  readonly migrations: readonly MigrationSet[];
  readonly settings: DatabaseSettings;
  readonly log: Logger;
  /** Adds data to the migrated database. @defaultValue adds none */
  readonly fill?: (database: Database) => Promise<unknown>;
  /** Reads an archive for a new embedded database; undefined when there is no matching one. @defaultValue an empty database */
  readonly readSnapshot?: () => Promise<Blob | undefined>;
}

/** A migrated database. */
export interface OpenedDatabase {
  readonly database: Database;
  /** Describes the location of the data to the user, without a password: `embedded PostgreSQL in .gatefold/data`. */
  readonly description: string;
  close(): Promise<void>;
}

/**
 * Opens a database and applies its migrations. The drivers are loaded only when they are needed.
 *
 * @throws Error when the data is in use or cannot be stored, the server does not respond, or a migration does not match
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { url, directory } = options;
  if (url !== undefined) return openServer(url, options);
  if (directory !== undefined) return openDescribed(directory, options);
  return prepare(await openEmbedded(undefined, await options.readSnapshot?.()), 'embedded PostgreSQL in memory', options);
}

async function openServer(url: string, options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { openServerDatabase } = await import('../database/open-server-database.ts');
  const location = locationOf(url, options.settings);
  try {
    return await prepare(openServerDatabase({ url, log: options.log }), `PostgreSQL at ${location}`, options);
  } catch (cause) {
    if (classifyDatabaseFailure(cause) !== 'unavailable') throw cause;
    const reason = (cause instanceof Error && cause.message) || 'no response';
    throw new StorageFailure(`The database at ${location} cannot be used: ${reason}.`, { cause });
  }
}

/** Describes file errors such as a full disk or a missing permission, which the embedded database reports as numbers. */
async function openDescribed(directory: string, options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  try {
    return await openDirectory(directory, options);
  } catch (cause) {
    const reason = describeFileFailure(cause) ?? (cause instanceof Error ? undefined : describeForeign(cause));
    if (reason === undefined) throw cause;
    throw new StorageFailure(`The data directory ${directory} cannot be used: ${reason} (${options.settings.directory}).`, { cause });
  }
}

/** Describes a thrown value that is not an `Error`. Such values of the embedded database have at most a message. */
function describeForeign(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : JSON.stringify(thrown);
}

/** File that marks a directory with an incomplete database. */
const UNFINISHED_FILE = 'gatefold.unfinished';

async function openDirectory(path: string, options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const lock = await lockDirectory(path, options.settings);
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
    const snapshot = isFresh ? await options.readSnapshot?.() : undefined;
    const opened = await prepare(await openEmbedded(directory, snapshot), description, options);
    await rm(unfinished, { force: true });
    return {
      ...opened,
      async close() {
        await opened.close();
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
  const { openEmbeddedDatabase } = await import('../database/open-embedded-database.ts');
  return openEmbeddedDatabase({ ...(directory === undefined ? {} : { directory }), ...(snapshot === undefined ? {} : { snapshot }) });
}

async function prepare(database: Database, description: string, { migrations, fill }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  try {
    await migrate(database, migrations);
    await fill?.(database);
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
function locationOf(databaseUrl: string, settings: DatabaseSettings): string {
  if (!URL.canParse(databaseUrl)) return settings.url;
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
