import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

interface Rows<Row> {
  readonly rows: readonly Row[];
}

/** What `execute` gives on either driver. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

/** Drizzle's query builder, reduced to what both drivers do alike. */
export type Sql = Pick<PgDatabase<RowsResult>, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | '$with' | 'with'>;

/** One statement as it went to the database. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Plain SQL in one transaction, for migrations and bulk loads. */
export interface ScriptSession {
  /** One statement with `$1` parameters. */
  readonly query: (text: string, parameters?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Several statements without parameters. */
  readonly script: (text: string) => Promise<void>;
}

/** PostgreSQL: embedded in this process, or a server. The SQL is the same. */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /** For statements outside a transaction. Using it inside one is refused: embedded, it would wait for itself. */
  readonly sql: Sql;
  /**
   * Runs `work` in a transaction (read committed) and commits what it did; whatever it throws undoes all and is thrown on.
   * `work` may run again after a deadlock, so it must touch nothing but the database.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Like `transaction`, with plain SQL, without the statement time limit, and never repeated. */
  scripts<T>(work: (session: ScriptSession) => Promise<T>): Promise<T>;
  /** Tells each statement of `sql` and `transaction` to `observer` until disposed. */
  readonly observe: (observer: (statement: Statement) => void) => Disposable;
  /** The whole data directory as a tar archive; embedded only. @throws Error on a server */
  dump(): Promise<Blob>;
  /** Waits for running statements, then closes. */
  close(): Promise<void>;
}
