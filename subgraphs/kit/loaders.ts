import DataLoader from 'dataloader';
import { type SQL, and, getTableName, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from './database/database.ts';
import { isRowId } from './ids.ts';

/** How to look up many keys at once; `load` answers in the order of the keys. */
export interface LoaderDefinition<Value> {
  load(keys: readonly string[], sql: Sql): Promise<readonly Value[]>;
}

/** The look-ups of one request: what is asked for in one tick goes to the database as one statement. */
export interface Loaders {
  load<Value>(definition: LoaderDefinition<Value>, key: string): Promise<Value>;
  /** The same for look-ups that depend on arguments: equal `shape`s of one `source` share the definition made first. */
  loadShaped<Value>(source: object, shape: string, key: string, define: () => LoaderDefinition<Value>): Promise<Value>;
  /** Forgets what was read, so that what follows a write reads it anew. */
  clear(): void;
}

export function createLoaders(database: Sql): Loaders {
  // Keyed by the definition itself; `unknown` because each has a value type of its own.
  const loaders = new Map<LoaderDefinition<unknown>, DataLoader<string, unknown>>();
  const shaped = new Map<object, Map<string, LoaderDefinition<unknown>>>();

  async function load<Value>(definition: LoaderDefinition<Value>, key: string): Promise<Value> {
    let loader = loaders.get(definition);
    if (loader === undefined) {
      loader = new DataLoader<string, unknown>(async (keys) => definition.load(keys, database));
      loaders.set(definition, loader);
    }
    return (await loader.load(key)) as Value;
  }

  return {
    load,
    async loadShaped(source, shape, key, define) {
      const definitions = shaped.get(source) ?? new Map<string, LoaderDefinition<unknown>>();
      shaped.set(source, definitions);
      const definition = definitions.get(shape) ?? define();
      definitions.set(shape, definition);
      return load(definition as ReturnType<typeof define>, key);
    },
    clear() {
      for (const loader of loaders.values()) loader.clearAll();
    },
  };
}

/** Rows by id; null where there is none, and for what cannot be an id. */
export function rowsById<Table extends PgTable>(table: Table, id: PgColumn, where?: SQL): LoaderDefinition<Table['$inferSelect'] | null> {
  // Drizzle's own types are for tables known one by one.
  const source: PgTable = table;
  const property = propertyOf(table, id);
  return {
    async load(keys, database) {
      const ids = keys.filter(isRowId);
      if (ids.length === 0) return keys.map(() => null);
      const rows: readonly Record<string, unknown>[] = await database
        .select()
        .from(source)
        .where(and(isOneOf(id, ids), where));
      const found = new Map(rows.map((row) => [row[property], row]));
      return keys.map((key) => (found.get(key) as Table['$inferSelect'] | undefined) ?? null);
    },
  };
}

/** One parameter however many ids there are, so that the statement's text stays the same. The ids must be row ids. */
export function isOneOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${`{${ids.join(',')}}`}::bigint[])`;
}

/** The property under which a row holds a column. */
export function propertyOf(table: PgTable, column: PgColumn): string {
  const property = Object.entries(table).find(([, candidate]) => candidate === column)?.[0];
  if (property === undefined) throw new Error(`The table ${getTableName(table)} has no column ${column.name}.`);
  return property;
}
