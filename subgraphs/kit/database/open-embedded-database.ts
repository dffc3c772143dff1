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

/** PostgreSQL inside this process. Transactions and statements run strictly one after the other. */
export async function openEmbeddedDatabase({ directory, snapshot }: EmbeddedDatabaseOptions = {}): Promise<Database> {
  const client = await PGlite.create({
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
