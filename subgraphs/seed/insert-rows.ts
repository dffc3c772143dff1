import type { ScriptSession } from '../kit/database/database.ts';

/** Inserts all rows of a table with one statement. The fields have the names of the columns; other columns get their defaults. */
export async function insertRows(session: ScriptSession, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await session.query(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::text::json)`, [
    JSON.stringify(rows),
  ]);
}

/** Sets the id sequence of a table to continue after the inserted ids. */
export async function continueIds(session: ScriptSession, table: string): Promise<void> {
  await session.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}
