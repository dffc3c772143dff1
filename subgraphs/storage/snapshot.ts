import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import type { Database } from '../kit/database/database.ts';
import { type MigrationSet, checksumOf } from '../kit/database/migrate.ts';
import { createCommerceRows } from '../seed/commerce-rows.ts';
import { createPeopleRows } from '../seed/people-rows.ts';

/** Directory in which the build stores the snapshot. */
export const SNAPSHOT_DIRECTORY = join(packageRoot, 'dist/seed');

const DATA_FILE = 'data.tar.gz';
const FINGERPRINT_FILE = 'fingerprint';

/** Version of the storage format. Increment it when the same content is stored differently. */
const FORMAT = 2;

/** Template databases of PostgreSQL, which it copies to create new ones. They are more than half of all files. */
const TEMPLATES = ['template0', 'template1'];

/**
 * Computes the fingerprint of a snapshot from the migrations, the sample data and the version of PGlite. A snapshot with another
 * fingerprint is not used.
 */
export async function fingerprintOf(migrations: readonly MigrationSet[]): Promise<string> {
  return createHash('sha256')
    .update(`${FORMAT} `)
    .update(checksumOf(migrations))
    .update(await readPgliteVersion())
    .update(JSON.stringify([createPeopleRows(), createCommerceRows()]))
    .digest('hex');
}

/**
 * Reads the data directory of the snapshot, which is already migrated and contains the sample data; undefined when there is no matching
 * one.
 */
export async function readSnapshot(migrations: readonly MigrationSet[], directory: string = SNAPSHOT_DIRECTORY): Promise<Blob | undefined> {
  const made = await readFile(join(directory, FINGERPRINT_FILE), 'utf8').catch(() => undefined);
  if (made === undefined || made !== (await fingerprintOf(migrations))) return undefined;
  // The archive is extracted here, because PGlite would take three times as long.
  return new Blob([await promisify(gunzip)(await readFile(join(directory, DATA_FILE)))]);
}

/** Removes files that users of a snapshot do not need. The database can create no further databases afterwards. */
export async function shrinkForSnapshot({ sql: database }: Database): Promise<void> {
  for (const template of TEMPLATES) {
    await database.execute(sql`update pg_database set datistemplate = false where datname = ${template}`);
    await database.execute(sql`drop database ${sql.identifier(template)}`);
  }
  // A checkpoint removes older log files.
  await database.execute(sql`checkpoint`);
}

/** Writes the snapshot. The fingerprint is written last, so that an incomplete snapshot is not used. */
export async function writeSnapshot(database: Database, fingerprint: string, directory: string = SNAPSHOT_DIRECTORY): Promise<void> {
  const archive = Buffer.from(await (await database.dump()).arrayBuffer());
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, FINGERPRINT_FILE), '');
  await writeFile(join(directory, DATA_FILE), await promisify(gzip)(archive));
  await writeFile(join(directory, FINGERPRINT_FILE), fingerprint);
}

async function readPgliteVersion(): Promise<string> {
  // The package does not export its package.json.
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return readFile(join(dirname(entry), '../package.json'), 'utf8');
}
