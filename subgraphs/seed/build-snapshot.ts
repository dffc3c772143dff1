import { readAllMigrations } from '../migration-order.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import { openStorage } from '../storage/open-storage.ts';
import { SNAPSHOT_DIRECTORY, fingerprintOf, readSnapshot, shrinkForSnapshot, writeSnapshot } from '../storage/snapshot.ts';

// Part of the build: creates a migrated database with sample data, for fast first starts and for the tests.
const migrations = await readAllMigrations();
if ((await readSnapshot(migrations)) === undefined) {
  const storage = await openStorage({ useSnapshot: false, log: silentLogger });
  await shrinkForSnapshot(storage.database);
  await writeSnapshot(storage.database, await fingerprintOf(migrations));
  await storage.close();
  console.log(`Wrote the sample data to ${SNAPSHOT_DIRECTORY}.`);
} else {
  console.log(`The sample data in ${SNAPSHOT_DIRECTORY} is up to date.`);
}
