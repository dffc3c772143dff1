import type { ScriptSession } from '../kit/database/database.ts';

/** All rows of a table in one statement; their fields are named like its columns. Columns that no row names keep their defaults. */
export async function insertRows(session: ScriptSession, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await session.query(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::text::json)`, [
    JSON.stringify(rows),
  ]);
}

/** Lets the ids that are made next follow those that were given. */
export async function continueIds(session: ScriptSession, table: string): Promise<void> {
  await session.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}
