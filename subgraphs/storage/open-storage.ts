import type { Logger } from '../../gateway/platform/logger.ts';
import { type OpenedDatabase, openDatabase } from '../kit/storage/open-database.ts';
import { readAllMigrations } from '../migration-order.ts';
import { seedDatabase } from '../seed/seed-database.ts';
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

/** How a user of the reference subgraphs moves the data. */
const REFERENCE_SETTINGS = {
  url: 'GATEFOLD_REFERENCE_DATABASE_URL',
  directory: 'GATEFOLD_DATA_DIR',
  inMemory: 'GATEFOLD_DATA_DIR=memory',
};

/**
 * Opens the database of the reference subgraphs, migrated and with the sample data.
 *
 * @throws Error when the data is in use or cannot be stored, the server does not respond, or a migration does not match
 */
export async function openStorage({ databaseUrl, directory, useSnapshot = true, log }: StorageOptions): Promise<OpenedDatabase> {
  const migrations = await readAllMigrations();
  return openDatabase({
    url: databaseUrl,
    directory,
    migrations,
    settings: REFERENCE_SETTINGS,
    log,
    fill: seedDatabase,
    ...(useSnapshot ? { readSnapshot: async () => readSnapshot(migrations) } : {}),
  });
}
