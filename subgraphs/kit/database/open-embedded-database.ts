import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, Sql } from './database.ts';
import { PrivateNodeFS } from './private-node-fs.ts';
import { withTransactionRetry } from './retry-transaction.ts';
import { createStatementLog } from './statement-log.ts';

export interface EmbeddedDatabaseOptions {
  /** Where the data lives; in memory when absent. */
  readonly directory?: string;
  /** Archive made by `dump`, unpacked into a fresh database. */
  readonly snapshot?: Blob;
}

/**
 * How a new data directory is made. PostgreSQL chooses for a server: 128 MB of buffers, which are filled with zeros at each opening, and
 * a log in files of 16 MB, each written whole when it is begun. Here one client has some megabytes of data.
 */
const SMALL_DATABASE = ['--set=shared_buffers=32MB', '--wal-segsize=1', '--set=min_wal_size=2MB', '--set=max_wal_size=4MB'];

/**
 * How much of a WebAssembly function must have run before V8 compiles it a second time, optimized; V8 begins at 1.8 MB. Opening a database
 * reaches that in hundreds of functions, and to compile them takes longer than the whole opening.
 *
 * @unit bytes of machine code, about
 */
const OPTIMIZE_AFTER_BYTES = 100_000_000;

/** PostgreSQL inside this process. Transactions and statements run strictly one after the other. */
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
