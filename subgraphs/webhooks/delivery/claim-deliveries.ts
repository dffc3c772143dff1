import { type SQL, eq, inArray, sql as raw } from 'drizzle-orm';
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
  /**
   * Duration of a lease; longer than an attempt. If this process ends, other processes take the delivery after that time.
   *
   * @unit milliseconds
   */
  readonly leaseMs: number;
  /** @unit deliveries */
  readonly limit: number;
  /** Maximum number of simultaneous deliveries to one endpoint, in all processes. @unit deliveries */
  readonly perEndpoint: number;
  /** Maximum number of simultaneous deliveries of one owner, in this process. @unit deliveries */
  readonly perOwner: number;
  /** Owners of the attempts in progress in this process, one entry per attempt. */
  readonly busyOwners: readonly string[];
  /** Random number between 0 and 1. */
  readonly random: number;
}

/**
 * Claims due deliveries for this process. The endpoints are locked first, by one process after another. The held deliveries of each
 * endpoint are counted by a later statement, which therefore includes those of the previous process.
 *
 * Deliveries of the owner with the fewest attempts in progress come first, so that no owner waits for all deliveries of another. Next come
 * endpoints whose last attempt did not fail, so that timeouts do not delay all others. Then the deliveries that have been due the longest
 * come first.
 */
export async function claimDeliveries(database: Database, options: ClaimOptions): Promise<readonly ClaimedDelivery[]> {
  return database.transaction(async (sql) => {
    // PostgreSQL would compile the statement, which takes many times longer than executing it.
    await sql.execute(raw`set local jit = off`);
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

/** Makes the condition that a delivery `d` to an endpoint `e` is due, is not held, and need not wait for an earlier one. */
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

/**
 * Makes a condition that is evaluated once per statement, with the first entry of an index. When no delivery is due, no endpoint is read.
 */
const isAnythingDue = (now: string) => raw`(
  select min(waiting.next_attempt_at) from webhooks.deliveries waiting
  where waiting.state = 'PENDING' and (waiting.lease_until is null or waiting.lease_until <= ${now}::timestamptz)) <= ${now}::timestamptz`;

/**
 * Maximum number of endpoints that a claim compares. When there are more, they are selected at random, so that the duration of a claim is
 * limited.
 *
 * @unit endpoints
 */
const WINDOW = 64;

/** Selects deliveries with their turns. A turn is the number of attempts in progress that the owner would have with this one. */
const inTurn = (candidates: SQL, { perOwner, busyOwners }: ClaimOptions) => raw`(
  select * from (
    select candidate.*, row_number() over (partition by owner_id order by is_failing, next_attempt_at, id)
      + (select count(*) from jsonb_array_elements_text(${JSON.stringify(busyOwners)}::jsonb) busy where busy = owner_id) as turn
    from (${candidates}) candidate
  ) counted
  where turn <= ${perOwner}) next`;

const BY_TURN = raw`next.turn, next.is_failing, next.next_attempt_at, next.id`;

/** Selects the first due delivery of each endpoint, when endpoint and owner are below their limits. */
function firstOfEach({ now, perEndpoint, perOwner, busyOwners }: ClaimOptions, where: SQL): SQL {
  const at = now.toISOString();
  const full = [...new Set(busyOwners)].filter((owner) => busyOwners.filter((one) => one === owner).length >= perOwner);
  return raw`
    select e.id as endpoint_id, e.owner_id, e.failing_since is not null as is_failing, due.next_attempt_at, due.id
    from webhooks.endpoints e cross join lateral (
      select d.id, d.next_attempt_at from webhooks.deliveries d where ${isDue(at)} order by d.next_attempt_at, d.id limit 1
    ) due
    where ${where} and e.state <> 'DISABLED' and ${held(at)} < ${perEndpoint} and ${isAnythingDue(at)}
      and e.owner_id <> all(${raw.param(full)}::text[])
    order by e.id limit ${WINDOW}`;
}

async function lockEndpoints(sql: Sql, options: ClaimOptions): Promise<readonly string[]> {
  const start = raw`(select floor(${options.random}::double precision * (max(id) + 1))::bigint from webhooks.endpoints)`;
  const some = raw`
    (${firstOfEach(options, raw`e.id >= ${start}`)}) union all (${firstOfEach(options, raw`e.id < ${start}`)}) limit ${WINDOW}`;
  const { rows } = await sql.execute<{ id: string }>(raw`
    select e.id::text as id from ${inTurn(some, options)} join webhooks.endpoints e on e.id = next.endpoint_id
    order by ${BY_TURN} limit ${options.limit} for no key update of e skip locked`);
  return rows.map(({ id }) => id);
}

async function leaseDeliveries(sql: Sql, endpointIds: readonly string[], options: ClaimOptions): Promise<readonly string[]> {
  const { now, leaseMs, limit, perEndpoint } = options;
  const at = now.toISOString();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const all = raw`
    select e.owner_id, e.failing_since is not null as is_failing, due.next_attempt_at, due.id
    from webhooks.endpoints e cross join lateral (
      select d.id, d.next_attempt_at from webhooks.deliveries d where ${isDue(at)}
      order by d.next_attempt_at, d.id limit greatest(0, ${perEndpoint} - ${held(at)})
    ) due
    where e.id in (${listOf(endpointIds)})`;
  const { rows } = await sql.execute<{ id: string }>(raw`
    update webhooks.deliveries set lease_until = ${until}::timestamptz where id in (
      select next.id from ${inTurn(all, options)} order by ${BY_TURN} limit ${limit})
    returning id::text as id`);
  return rows.map(({ id }) => id);
}

const listOf = (ids: readonly string[]) =>
  raw.join(
    ids.map((id) => raw`${id}::bigint`),
    raw`, `,
  );
