import { and, eq, lt, sql as raw } from 'drizzle-orm';
import type { Database, Sql } from '../../kit/database/database.ts';
import { type DeliveryRow, deliveries, type EndpointRow, endpoints } from '../tables.ts';
import type { AttemptResult, DeliveryCode } from './attempt-result.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { PING_EVENT } from './enqueue.ts';
import { waitAfter } from './retry-schedule.ts';

/** Time without a success after which an endpoint is disabled. @unit milliseconds */
const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1_000;

export interface RecordOptions {
  readonly now: Date;
  /** Random number between 0 and 1. */
  readonly random: number;
}

/** Records the result of an attempt, and updates the delivery and its endpoint, in one transaction. */
export async function recordAttempt(
  database: Database,
  { delivery, endpoint }: ClaimedDelivery,
  attemptResult: AttemptResult,
  options: RecordOptions,
): Promise<void> {
  await database.transaction(async (sql) => {
    // Endpoints are locked before deliveries, as in a claim, to avoid deadlocks.
    const [current] = await sql.select().from(endpoints).where(eq(endpoints.id, endpoint.id)).for('no key update');
    if (current === undefined) return; // deleted meanwhile, with its deliveries
    if (attemptResult.kind === 'delivered') {
      return recordSuccess(sql, { delivery, endpoint }, current, { status: attemptResult.status, now: options.now });
    }
    if (!(await isHeld(sql, delivery))) return; // the attempt took longer than the lease, and another worker has the delivery now
    if (attemptResult.kind === 'interrupted') return update(sql, delivery, { leaseUntil: null });
    if (endpoint.url !== current.url) return recordFailure(sql, delivery, ofAnotherAddress(attemptResult), options);
    await recordFailure(sql, delivery, attemptResult, options);
    await reactTo(attemptResult, current, { sql, now: options.now });
  });
}

async function recordSuccess(
  sql: Sql,
  { delivery, endpoint: requested }: ClaimedDelivery,
  endpoint: EndpointRow,
  { status, now }: { readonly status: number; readonly now: Date },
): Promise<void> {
  await update(sql, delivery, { ...attempted(delivery, now), state: 'DELIVERED', lastStatus: status, lastCode: null, finishedAt: now });
  // A response of an earlier address of the endpoint proves nothing about its current address.
  const isOfIt = requested.url === endpoint.url;
  const isProved = endpoint.state === 'PENDING' && delivery.event === PING_EVENT && isOfIt;
  await sql
    .update(endpoints)
    .set({
      lastDeliveredAt: now,
      ...(isOfIt ? { failingSince: null } : {}),
      ...(isProved ? { state: 'ACTIVE' as const, updatedAt: now, version: raw`${endpoints.version} + 1` } : {}),
    })
    .where(eq(endpoints.id, endpoint.id));
}

type Failure = Exclude<AttemptResult, { readonly kind: 'delivered' | 'interrupted' }>;

/** Converts a failure of an earlier address of the endpoint. It counts as a failed attempt, but does not affect the current address. */
function ofAnotherAddress(attemptResult: Failure): Failure {
  return { kind: 'failed', code: codeOf(attemptResult), ...('status' in attemptResult ? { status: attemptResult.status } : {}) };
}

function codeOf(attemptResult: Failure): DeliveryCode {
  return attemptResult.kind === 'gone' ? 'RECEIVER_GONE' : attemptResult.code;
}

async function recordFailure(sql: Sql, delivery: DeliveryRow, attemptResult: Failure, { now, random }: RecordOptions): Promise<void> {
  if (attemptResult.kind === 'blocked') {
    return update(sql, delivery, {
      ...attempted(delivery, now),
      state: 'BLOCKED',
      lastStatus: null,
      lastCode: attemptResult.code,
      finishedAt: now,
    });
  }
  const reported = { ...attempted(delivery, now), lastStatus: attemptResult.status ?? null, lastCode: codeOf(attemptResult) };
  if (attemptResult.kind === 'gone') return update(sql, delivery, { ...reported, state: 'CANCELLED', finishedAt: now });
  const wait = waitAfter(delivery.attempts + 1, random);
  if (wait === undefined) return update(sql, delivery, { ...reported, state: 'DEAD', finishedAt: now });
  const requested = attemptResult.kind === 'failed' ? (attemptResult.retryAfterMs ?? 0) : 0;
  return update(sql, delivery, { ...reported, nextAttemptAt: new Date(now.getTime() + Math.max(wait, requested)) });
}

async function reactTo(
  attemptResult: Failure,
  endpoint: EndpointRow,
  { sql, now }: { readonly sql: Sql; readonly now: Date },
): Promise<void> {
  if (endpoint.state === 'DISABLED') return;
  if (attemptResult.kind === 'gone') return disableEndpoint(sql, { endpointId: endpoint.id, reason: 'GONE', now });
  const since = endpoint.failingSince ?? now;
  if (now.getTime() - since.getTime() >= MAX_FAILING_MS) {
    return disableEndpoint(sql, { endpointId: endpoint.id, reason: 'FAILING', now });
  }
  if (endpoint.failingSince === null) await sql.update(endpoints).set({ failingSince: now }).where(eq(endpoints.id, endpoint.id));
  if (attemptResult.kind === 'failed' && attemptResult.retryAfterMs !== undefined)
    await holdBack(sql, endpoint, new Date(now.getTime() + attemptResult.retryAfterMs));
}

/** Delays all waiting deliveries of an endpoint, because the requested pause applies to the whole receiver. */
async function holdBack(sql: Sql, { id }: EndpointRow, until: Date): Promise<void> {
  await sql
    .update(deliveries)
    .set({ nextAttemptAt: until })
    .where(and(eq(deliveries.endpointId, id), eq(deliveries.state, 'PENDING'), lt(deliveries.nextAttemptAt, until)));
}

async function isHeld(sql: Sql, { id, leaseUntil }: DeliveryRow): Promise<boolean> {
  const [current] = await sql
    .select({ state: deliveries.state, leaseUntil: deliveries.leaseUntil })
    .from(deliveries)
    .where(eq(deliveries.id, id));
  return current?.state === 'PENDING' && current.leaseUntil?.getTime() === leaseUntil?.getTime();
}

function attempted({ attempts }: DeliveryRow, now: Date) {
  return { attempts: attempts + 1, lastAttemptAt: now, leaseUntil: null };
}

async function update(sql: Sql, { id }: DeliveryRow, set: Partial<DeliveryRow>): Promise<void> {
  await sql
    .update(deliveries)
    .set(set)
    .where(and(eq(deliveries.id, id), eq(deliveries.state, 'PENDING')));
}
