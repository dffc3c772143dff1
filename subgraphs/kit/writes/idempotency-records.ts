import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import type { Sql } from '../database/database.ts';
import { idempotencyRecords } from '../database/kit-tables.ts';
import { clientError } from '../client-error.ts';
import { decodeResult, encodeResult } from './result-text.ts';
import { writeRejected } from './user-errors.ts';

/** Time for which a key is stored. @unit milliseconds */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** A write that is executed once per key and caller. */
export interface IdempotentWrite {
  readonly subgraph: string;
  readonly principal: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** @throws GraphQLError `IDEMPOTENCY_KEY_INVALID` unless the key has 1 to 255 printable ASCII characters */
export function checkIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw clientError('IDEMPOTENCY_KEY_INVALID', 'An idempotency key must have 1 to 255 printable ASCII characters.');
  }
}

/** Computes a fingerprint of arguments, independent of the order of their fields. */
export function fingerprintOf(operation: string, input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, input], (_name, value: unknown) => (isPlainObject(value) ? sortedByName(value) : value)))
    .digest('hex');
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedByName(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * Claims the key for this transaction. A second transaction with the same key waits here until the first one ends.
 *
 * @returns the recorded result of an earlier write; undefined when the write must be executed
 * @throws WriteRejected `IDEMPOTENCY_KEY_REUSED`
 */
export async function claimKey(sql: Sql, write: IdempotentWrite, now: Date): Promise<{ readonly value: unknown } | undefined> {
  const { subgraph, principal, key, fingerprint } = write;
  const expired = new Date(now.getTime() - IDEMPOTENCY_RETENTION_MS);
  await sql.delete(idempotencyRecords).where(and(isRecordOf(write), lt(idempotencyRecords.createdAt, expired)));
  const claimed = await sql
    .insert(idempotencyRecords)
    .values({ subgraph, principal, key, fingerprint, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyRecords.key });
  if (claimed.length > 0) return undefined;
  const [record] = await sql.select().from(idempotencyRecords).where(isRecordOf(write));
  if (record?.outcome === null || record?.outcome === undefined) throw new Error('A committed idempotency record has no result.');
  if (record.fingerprint !== fingerprint) {
    throw writeRejected(
      'IDEMPOTENCY_KEY_REUSED',
      'idempotencyKey',
      'This idempotency key was used before with a different input. Use a new key.',
    );
  }
  return { value: decodeResult(record.outcome) };
}

/** Records the result of a write, in the same transaction. */
export async function storeResult(sql: Sql, write: IdempotentWrite, value: unknown): Promise<void> {
  await sql
    .update(idempotencyRecords)
    .set({ outcome: encodeResult(value) })
    .where(isRecordOf(write));
}

function isRecordOf({ subgraph, principal, key }: IdempotentWrite) {
  return and(eq(idempotencyRecords.subgraph, subgraph), eq(idempotencyRecords.principal, principal), eq(idempotencyRecords.key, key));
}
