import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database, Sql } from './database.ts';
import { withTransactionRetry } from './retry-transaction.ts';
import { createStatementLog } from './statement-log.ts';

export interface ServerDatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  readonly log: Logger;
  /** Maximum number of connections of this process. @unit connections @defaultValue 10 */
  readonly maxConnections?: number;
  /** Timeout for opening a connection. @unit milliseconds @defaultValue 2000 */
  readonly connectTimeoutMs?: number;
  /** Timeout of one statement, after which the server cancels it. @unit milliseconds @defaultValue 4000 */
  readonly statementTimeoutMs?: number;
}

/** Session settings that make the server send instants in the format that the driver reads, regardless of other settings. */
const SESSION_SETTINGS = '-c datestyle=ISO -c timezone=UTC';

/** Opens a connection pool to a PostgreSQL server. A broken connection is replaced at the next statement. */
export function openServerDatabase(options: ServerDatabaseOptions): Database {
  const { url, log, maxConnections = 10, connectTimeoutMs = 2_000, statementTimeoutMs = 4_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // A server that no longer responds cannot report its timeout.
    query_timeout: statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    keepAlive: true,
    options: SESSION_SETTINGS,
    application_name: 'gatefold-subgraphs',
  });
  const complain = (error: Error) => log.warn({ err: error }, 'A database connection failed.');
  pool.on('error', complain);
  // The listener is attached immediately: the pool handles errors of idle connections only, and an unhandled error event would end the
  // process. A broken connection is detected at the next statement and at the release.
  pool.on('connect', (client) => client.on('error', () => {}));
  const statements = createStatementLog();

  async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new Error('No connection to the database could be opened.', { cause });
    });
    let broken: Error | undefined;
    try {
      await client.query('begin isolation level read committed');
      const result = await statements.enter(async () => work(client));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    kind: 'server',
    sql: drizzle(pool, { logger: statements.outside, casing: 'snake_case' }) as Sql,
    transaction: async (work) =>
      withTransactionRetry(async () =>
        inTransaction(async (client) => work(drizzle(client, { logger: statements.inside, casing: 'snake_case' }) as Sql)),
      ),
    scripts: async (work) => withOwnConnection(url, connectTimeoutMs, work),
    observe: statements.observe,
    dump: async () => {
      throw new Error('Only an embedded database can be dumped.');
    },
    close: async () => {
      if (!pool.ended) await pool.end();
    },
  };
}

/** Opens a connection without time limits, because migrations wait for each other and may rewrite a table. */
async function withOwnConnection<T>(url: string, connectTimeoutMs: number, work: Parameters<Database['scripts']>[0]): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    options: SESSION_SETTINGS,
    application_name: 'gatefold-migrations',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    const result = await work({
      query: async (text, parameters = []) => (await client.query<Record<string, unknown>>(text, [...parameters])).rows,
      script: async (text) => void (await client.query(text)),
    });
    await client.query('commit');
    return result as T;
  } finally {
    // Closing the connection rolls back everything that was not committed.
    await client.end().catch(() => {});
  }
}
