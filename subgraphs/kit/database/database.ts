import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

interface Rows<Row> {
  readonly rows: readonly Row[];
}

/** Result of `execute` with either driver. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

/** Query builder of Drizzle, reduced to the methods that both drivers implement in the same way. */
export type Sql = Pick<PgDatabase<RowsResult>, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | '$with' | 'with'>;

/** One statement as it was sent to the database. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Plain SQL in one transaction, for migrations and bulk loads. */
export interface ScriptSession {
  /** Executes one statement with `$1` parameters. */
  readonly query: (text: string, parameters?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Executes several statements without parameters. */
  readonly script: (text: string) => Promise<void>;
}

/** PostgreSQL, embedded in this process or on a server. The SQL is the same. */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /** Executes statements outside a transaction. Rejected inside one, because the embedded database would wait for itself. */
  readonly sql: Sql;
  /**
   * Runs `work` in a transaction (read committed) and commits it. An error of `work` rolls the transaction back and is rethrown. `work` may
   * run again after a deadlock, so it must have no effects outside the database.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs `work` like `transaction`, with plain SQL, without the statement time limit, and without repetition. */
  scripts<T>(work: (session: ScriptSession) => Promise<T>): Promise<T>;
  /** Reports each statement of `sql` and `transaction` to `observer`, until disposed. */
  readonly observe: (observer: (statement: Statement) => void) => Disposable;
  /** Returns the data directory as a tar archive; embedded only. @throws Error on a server */
  dump(): Promise<Blob>;
  /** Waits for running statements and closes the connections. */
  close(): Promise<void>;
}
