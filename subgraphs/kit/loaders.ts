import DataLoader from 'dataloader';
import { type SQL, and, getTableName, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from './database/database.ts';
import { isRowId } from './ids.ts';

/** Batch function: returns the values in the order of the keys. */
export interface LoaderDefinition<Value> {
  load(keys: readonly string[], sql: Sql): Promise<readonly Value[]>;
}

/** Loaders of one request. All keys that are requested in one tick are loaded with one statement. */
export interface Loaders {
  load<Value>(definition: LoaderDefinition<Value>, key: string): Promise<Value>;
  /** Loads values that depend on arguments. Equal `shape`s of one `source` share the first definition. */
  loadShaped<Value>(source: object, shape: string, key: string, define: () => LoaderDefinition<Value>): Promise<Value>;
  /** Clears the loaded values, so that reads after a write load them again. */
  clear(): void;
}

export function createLoaders(database: Sql): Loaders {
  // The key is the definition itself. The value type is `unknown`, because each definition has a different one.
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

/** Defines a loader of rows by id. Missing rows and invalid ids result in null. */
export function rowsById<Table extends PgTable>(table: Table, id: PgColumn, where?: SQL): LoaderDefinition<Table['$inferSelect'] | null> {
  // The types of Drizzle support only tables that are known individually.
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

/**
 * Makes a condition with one parameter for any number of ids, so that the text of the statement does not change. The ids must be row ids.
 */
export function isOneOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${`{${ids.join(',')}}`}::bigint[])`;
}

/** Returns the property of a row that contains a column. */
export function propertyOf(table: PgTable, column: PgColumn): string {
  const property = Object.entries(table).find(([, candidate]) => candidate === column)?.[0];
  if (property === undefined) throw new Error(`The table ${getTableName(table)} has no column ${column.name}.`);
  return property;
}
