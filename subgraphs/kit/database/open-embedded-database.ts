import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, Sql } from './database.ts';
import { PrivateNodeFS } from './private-node-fs.ts';
import { withTransactionRetry } from './retry-transaction.ts';
import { createStatementLog } from './statement-log.ts';

export interface EmbeddedDatabaseOptions {
  /** Data directory. @defaultValue in memory */
  readonly directory?: string;
  /** Archive created by `dump`, which is extracted into a new database. */
  readonly snapshot?: Blob;
}

/**
 * Settings for a new data directory. The defaults of PostgreSQL suit a server: 128 MB of buffers, which are zeroed at each start, and log
 * files of 16 MB, each written completely when it is created. This database has one client and a few megabytes of data.
 */
const SMALL_DATABASE = ['--set=shared_buffers=32MB', '--wal-segsize=1', '--set=min_wal_size=2MB', '--set=max_wal_size=4MB'];

/**
 * Amount of executed code of a WebAssembly function after which V8 compiles it again with optimizations; the default of V8 is 1.8 MB.
 * Opening a database reaches the default in hundreds of functions, and compiling them takes longer than opening the database.
 *
 * @unit bytes of machine code, approximately
 */
const OPTIMIZE_AFTER_BYTES = 100_000_000;

/** Opens PostgreSQL inside this process. Transactions and statements run strictly one after another. */
export async function openEmbeddedDatabase({ directory, snapshot }: EmbeddedDatabaseOptions = {}): Promise<Database> {
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZE_AFTER_BYTES}`);
  const client = await PGlite.create({
    initDbStartParams: SMALL_DATABASE,
    ...(directory === undefined ? {} : { fs: new PrivateNodeFS(directory) }),
    ...(snapshot === undefined ? {} : { loadDataDir: snapshot }),
  });
  const log = createStatementLog();
  const outside = drizzle({ client, logger: log.outside, casing: 'snake_case' });
  const inside = drizzle({ client, logger: log.inside, casing: 'snake_case' });
  return {
    kind: 'embedded',
    sql: outside,
    transaction: async (work) => withTransactionRetry(async () => inside.transaction(async (tx) => log.enter(async () => work(tx as Sql)))),
    scripts: async (work) =>
      client.transaction(async (tx) =>
        log.enter(async () =>
          work({
            query: async (text, parameters = []) => (await tx.query<Record<string, unknown>>(text, [...parameters])).rows,
            script: async (text) => void (await tx.exec(text)),
          }),
        ),
      ),
    observe: log.observe,
    dump: async () => client.dumpDataDir('none'),
    close: async () => {
      if (!client.closed) await client.close();
    },
  };
}
