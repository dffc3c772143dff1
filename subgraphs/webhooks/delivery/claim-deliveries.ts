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
  /** Longer than an attempt may take; whoever dies with it leaves it to others after that. @unit milliseconds */
  readonly leaseMs: number;
  /** @unit deliveries */
  readonly limit: number;
  /** Of one endpoint at a time, in all processes. @unit deliveries */
  readonly perEndpoint: number;
  /** Of one owner at a time, in this process. @unit deliveries */
  readonly perOwner: number;
  /** Owners of what this process has under way: once for each attempt. */
  readonly busyOwners: readonly string[];
  /** Between 0 and 1. */
  readonly random: number;
}

/**
 * Takes deliveries whose time has come, each for this process alone. The endpoints are locked first, one process after another, and what is
 * held of each is counted by a statement that begins after that: it sees what the process before has taken.
 *
 * Whose owner has least under way goes first, so that no owner waits for all that another one has; then endpoints whose last attempt did
 * not fail, so that those that time out one after another do not keep all others waiting; then what is due for longest.
 */
export async function claimDeliveries(database: Database, options: ClaimOptions): Promise<readonly ClaimedDelivery[]> {
  return database.transaction(async (sql) => {
    // PostgreSQL thinks it worth its while to compile what a claim asks, which takes it many times longer than to answer.
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

/** Asked once for a statement, of the first entry of an index: where nothing is due, no endpoint is looked at. */
const isAnythingDue = (now: string) => raw`(
  select min(waiting.next_attempt_at) from webhooks.deliveries waiting
  where waiting.state = 'PENDING' and (waiting.lease_until is null or waiting.lease_until <= ${now}::timestamptz)) <= ${now}::timestamptz`;

/** Endpoints of which a claim compares what is due. Where there are more, chance says which, so that a claim takes no longer. @unit endpoints */
const WINDOW = 64;

/** Deliveries with their turns: the how-manieth attempt that its owner has under way each would be. */
const inTurn = (candidates: SQL, { perOwner, busyOwners }: ClaimOptions) => raw`(
  select * from (
    select candidate.*, row_number() over (partition by owner_id order by is_failing, next_attempt_at, id)
      + (select count(*) from jsonb_array_elements_text(${JSON.stringify(busyOwners)}::jsonb) busy where busy = owner_id::text) as turn
    from (${candidates}) candidate
  ) counted
  where turn <= ${perOwner}) next`;

const BY_TURN = raw`next.turn, next.is_failing, next.next_attempt_at, next.id`;

/** What is due first at each endpoint that has room for it, and whose owner has. */
function firstOfEach({ now, perEndpoint, perOwner, busyOwners }: ClaimOptions, where: SQL): SQL {
  const at = now.toISOString();
  const full = [...new Set(busyOwners)].filter((owner) => busyOwners.filter((one) => one === owner).length >= perOwner);
  const nobody = '0'; // SQL has no empty list
  return raw`
    select e.id as endpoint_id, e.owner_id, e.failing_since is not null as is_failing, due.next_attempt_at, due.id
    from webhooks.endpoints e cross join lateral (
      select d.id, d.next_attempt_at from webhooks.deliveries d where ${isDue(at)} order by d.next_attempt_at, d.id limit 1
    ) due
    where ${where} and e.state <> 'DISABLED' and ${held(at)} < ${perEndpoint} and ${isAnythingDue(at)}
      and e.owner_id not in (${listOf([nobody, ...full])})
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
