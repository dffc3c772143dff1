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

/** Where the build leaves the snapshot. */
export const SNAPSHOT_DIRECTORY = join(packageRoot, 'dist/seed');

const DATA_FILE = 'data.tar.gz';
const FINGERPRINT_FILE = 'fingerprint';

/** Counted up when the same contents are stored differently. */
const FORMAT = 2;

/** Databases that PostgreSQL copies to make further ones. They are more than half of all files. */
const TEMPLATES = ['template0', 'template1'];

/**
 * What a snapshot was made of: the migrations, the sample data, and the PGlite that wrote its files. One that was made
 * of something else is not used.
 */
export async function fingerprintOf(migrations: readonly MigrationSet[]): Promise<string> {
  return createHash('sha256')
    .update(`${FORMAT} `)
    .update(checksumOf(migrations))
    .update(await readPgliteVersion())
    .update(JSON.stringify([createPeopleRows(), createCommerceRows()]))
    .digest('hex');
}

/** A data directory that is migrated and seeded already; undefined when there is none, or none that fits. */
export async function readSnapshot(migrations: readonly MigrationSet[], directory: string = SNAPSHOT_DIRECTORY): Promise<Blob | undefined> {
  const made = await readFile(join(directory, FINGERPRINT_FILE), 'utf8').catch(() => undefined);
  if (made === undefined || made !== (await fingerprintOf(migrations))) return undefined;
  // Unpacked here: PGlite would take three times as long.
  return new Blob([await promisify(gunzip)(await readFile(join(directory, DATA_FILE)))]);
}

/** Removes what no user of a snapshot needs and each of them would unpack. The database can make no further ones afterwards. */
export async function shrinkForSnapshot({ sql: database }: Database): Promise<void> {
  for (const template of TEMPLATES) {
    await database.execute(sql`update pg_database set datistemplate = false where datname = ${template}`);
    await database.execute(sql`drop database ${sql.identifier(template)}`);
  }
  // Files of the log from before it are removed.
  await database.execute(sql`checkpoint`);
}

/** Writes what `readSnapshot` reads. The fingerprint comes last, so that half a snapshot is none. */
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
