import { eq, inArray, sql as raw } from 'drizzle-orm';
import type { Database, Sql } from '../../kit/database/database.ts';
import { type DeliveryRow, deliveries, type EndpointRow, endpoints } from '../tables.ts';
import { PING_EVENT } from './enqueue.ts';

/** A delivery that this process holds until its lease ends, with its endpoint. */
export interface ClaimedDelivery {
  readonly delivery: DeliveryRow;
  readonly endpoint: EndpointRow;
}

export interface ClaimOptions {
  readonly now: Date;
  /** Longer than an attempt may take; whoever dies with it leaves it to others after that. @unit milliseconds */
  readonly leaseMs: number;
  /** @unit deliveries */
  readonly limit: number;
  /** Of one endpoint at a time, in all processes. @unit deliveries */
  readonly perEndpoint: number;
}

/**
 * Takes deliveries whose time has come, each for this process alone. The endpoints are locked first, one process after another, and what is
 * held of each is counted by a statement that begins after that: it sees what the process before has taken.
 */
export async function claimDeliveries(database: Database, options: ClaimOptions): Promise<readonly ClaimedDelivery[]> {
  return database.transaction(async (sql) => {
    const ready = await lockEndpoints(sql, options);
    if (ready.length === 0) return [];
    const claimed = await leaseDeliveries(sql, ready, options);
    if (claimed.length === 0) return [];
    const rows = await sql
      .select({ delivery: deliveries, endpoint: endpoints })
      .from(deliveries)
      .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
      .where(inArray(deliveries.id, [...claimed]))
      .orderBy(deliveries.nextAttemptAt, deliveries.id);
    return rows;
  });
}

/** Of a delivery `d` to an endpoint `e`: its time has come, nobody holds it, and it need not wait for one before it. */
const isDue = (now: string) => raw`
  d.endpoint_id = e.id and d.state = 'PENDING' and d.next_attempt_at <= ${now}::timestamptz
  and (d.lease_until is null or d.lease_until <= ${now}::timestamptz)
  and (e.state = 'ACTIVE' or e.state = 'PENDING' and d.event = ${PING_EVENT})
  and not (e.is_ordered and d.entity_key is not null and exists (
    select 1 from webhooks.deliveries before
    where before.endpoint_id = d.endpoint_id and before.entity_key = d.entity_key and before.state = 'PENDING' and before.id < d.id))`;

const held = (now: string) => raw`(
  select count(*) from webhooks.deliveries held
  where held.endpoint_id = e.id and held.state = 'PENDING' and held.lease_until > ${now}::timestamptz)`;

async function lockEndpoints(sql: Sql, { now, limit, perEndpoint }: ClaimOptions): Promise<readonly string[]> {
  const at = now.toISOString();
  const { rows } = await sql.execute<{ id: string }>(raw`
    select e.id::text as id from webhooks.endpoints e
    where e.state <> 'DISABLED' and exists (select 1 from webhooks.deliveries d where ${isDue(at)}) and ${held(at)} < ${perEndpoint}
    limit ${limit} for no key update of e skip locked`);
  return rows.map(({ id }) => id);
}

async function leaseDeliveries(
  sql: Sql,
  endpointIds: readonly string[],
  { now, leaseMs, limit, perEndpoint }: ClaimOptions,
): Promise<readonly string[]> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const ids = raw.join(
    endpointIds.map((id) => raw`${id}::bigint`),
    raw`, `,
  );
  const { rows } = await sql.execute<{ id: string }>(raw`
    update webhooks.deliveries set lease_until = ${until}::timestamptz where id in (
      select due.id from webhooks.endpoints e cross join lateral (
        select d.id from webhooks.deliveries d where ${isDue(at)}
        order by d.next_attempt_at, d.id limit greatest(0, ${perEndpoint} - ${held(at)})
      ) due
      where e.id in (${ids}) limit ${limit})
    returning id::text as id`);
  return rows.map(({ id }) => id);
}
