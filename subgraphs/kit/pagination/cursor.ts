import type { PgColumn } from 'drizzle-orm/pg-core';
import { isRowId } from '../ids.ts';
import { clientError } from '../client-error.ts';
import { isStorable } from '../storable-text.ts';

/** Value of one sort column in a cursor. */
export type CursorValue = string | number | boolean | Date;

const MAX_CURSOR_LENGTH = 2_048;

/** Matches instants in the format of `encodeCursor`. PostgreSQL has no year 0, and a different format for years before 1 and after 9999. */
const INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Encodes an opaque cursor. `signature` names the sort order, so that a cursor of another order is detected. */
export function encodeCursor(signature: string, values: readonly CursorValue[]): string {
  const plain = values.map((value) => (value instanceof Date ? value.toISOString() : value));
  return Buffer.from(JSON.stringify([signature, ...plain])).toString('base64url');
}

/** Decodes a cursor. @throws GraphQLError `BAD_USER_INPUT` unless `encodeCursor` created it for the same order */
export function decodeCursor(cursor: string, signature: string, columns: readonly PgColumn[]): readonly CursorValue[] {
  const parts = cursor.length > MAX_CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor) ? undefined : parseParts(cursor);
  if (parts === undefined) throw clientError('BAD_USER_INPUT', '`after` is not a cursor of this list.');
  const [sort, ...values] = parts;
  if (sort !== signature) throw clientError('BAD_USER_INPUT', '`after` belongs to a list with a different sort order.');
  if (values.length !== columns.length) throw clientError('BAD_USER_INPUT', '`after` is not a cursor of this list.');
  return columns.map((column, position) => {
    const value = toColumnValue(column, values[position]);
    if (value === undefined) throw clientError('BAD_USER_INPUT', '`after` is not a cursor of this list.');
    return value;
  });
}

function parseParts(cursor: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Converts a value for its column. Undefined when the column cannot contain it, because a forged cursor must not cause a database error.
 */
function toColumnValue(column: PgColumn, value: unknown): CursorValue | undefined {
  const kind = column.dataType;
  if (typeof value === 'string') {
    if (kind === 'custom') return isRowId(value) ? value : undefined;
    if (kind === 'string') return isStorable(value) ? value : undefined;
    return kind === 'date' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value) : undefined;
  }
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  return kind === 'boolean' && typeof value === 'boolean' ? value : undefined;
}
