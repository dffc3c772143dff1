import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { migrate } from '../../../subgraphs/kit/database/migrate.ts';
import { openEmbeddedDatabase } from '../../../subgraphs/kit/database/open-embedded-database.ts';
import { readAllMigrations } from '../../../subgraphs/migration-order.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';
import { SNAPSHOT_DIRECTORY } from '../../../subgraphs/storage/snapshot.ts';

/**
 * Opens an embedded database with the sample data from the snapshot of the build, which `npm test` creates first. Does not check that the
 * snapshot matches the current sample data, unlike the product at startup, because the check takes a third of the time.
 */
export async function openSampleDatabase(): Promise<Database> {
  unpacked ??= unpackSnapshot();
  const snapshot = await unpacked;
  if (snapshot === undefined) return (await openStorage({ log: silentLogger })).database;
  const database = await openEmbeddedDatabase({ snapshot });
  await migrate(database, await readAllMigrations());
  return database;
}

/** Unpacked once for all databases of this process. */
let unpacked: Promise<Blob | undefined> | undefined;

async function unpackSnapshot(): Promise<Blob | undefined> {
  const archive = await readFile(join(SNAPSHOT_DIRECTORY, 'data.tar.gz')).catch(() => undefined);
  return archive && new Blob([await promisify(gunzip)(archive)]);
}
