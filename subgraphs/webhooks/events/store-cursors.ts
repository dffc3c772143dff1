import { type SQL, sql as raw } from 'drizzle-orm';
import type { Database, Sql } from '../../kit/database/database.ts';
import { type EndpointRow, cursors, endpoints } from '../tables.ts';
import { familyOf, type OwnerStream, PERMISSIONS_LENGTH } from './owner-stream.ts';

/** Time for which events are stored for resuming streams. @unit milliseconds */
const RETENTION_MS = 10 * 60 * 1_000;

/**
 * Copies positions when the roles of an owner have changed, so that the stream with the new roles continues at the position of the old one.
 * Positions of streams that are still required are not copied, because they belong to other endpoints.
 *
 * @param fresh streams that were not read before
 * @param wanted keys of all required streams, including `fresh`
 */
export async function inheritCursors({ sql }: Database, fresh: readonly OwnerStream[], wanted: readonly string[]): Promise<void> {
  if (fresh.length === 0) return;
  const [keys, families] = [fresh.map(({ key }) => key), fresh.map(({ family }) => family)];
  await sql.execute(raw`
    insert into ${cursors} (stream_key, last_event_id, updated_at)
    select distinct on (fresh.key) fresh.key, place.last_event_id, place.updated_at
      from unnest(${texts(keys)}, ${texts(families)}) as fresh (key, family)
      join ${cursors} as place on left(place.stream_key, ${raw.raw(String(-PERMISSIONS_LENGTH))}) = fresh.family
     where ${isNoneOf(wanted)}
     order by fresh.key, place.updated_at desc
        on conflict do nothing`);
}

/**
 * Removes positions that have been unused for as long as events are stored. A stream that is required again later starts with new events.
 * Positions of required streams are refreshed even without events, so that their age is the time since the last use.
 */
export async function storeCursors({ sql }: Database, wanted: readonly string[], now: Date): Promise<void> {
  // Rows that another process is writing are refreshed by it. Waiting for them could cause a deadlock.
  await sql.execute(raw`
    update ${cursors} set updated_at = ${instant(now)}
     where stream_key in (
       select place.stream_key
         from ${cursors} as place join unnest(${texts(wanted)}) as wanted (key) on wanted.key = place.stream_key
        where place.updated_at < ${instant(now)}
          for no key update of place skip locked)`);
  const old = new Date(now.getTime() - RETENTION_MS);
  await sql.execute(raw`delete from ${cursors} as place where place.updated_at < ${instant(old)} and ${isNoneOf(wanted)}`);
}

/**
 * Removes the positions of events that an endpoint starts to receive, so that it receives only events from then on. Otherwise the position
 * of a deleted or disabled endpoint would deliver earlier events. Positions of endpoints that only wait for a ping, for example after a
 * change of address, are not removed.
 */
export async function forgetPositions(
  sql: Sql,
  { id, ownerId }: Pick<EndpointRow, 'id' | 'ownerId'>,
  events: readonly string[],
): Promise<void> {
  if (events.length === 0) return;
  const families = events.map((event) => familyOf(event, ownerId));
  await sql.execute(raw`
    delete from ${cursors} as place
     using unnest(${texts(events)}, ${texts(families)}) as begun (event, family)
     where left(place.stream_key, ${raw.raw(String(-PERMISSIONS_LENGTH))}) = begun.family
       and not exists (
         select 1 from ${endpoints} as other
          where other.owner_id = ${ownerId} and other.id <> ${id} and other.state <> 'DISABLED' and begun.event = any(other.events))`);
}

/** Makes a join, because a list of thousands of keys would be searched for each row. */
function isNoneOf(keys: readonly string[]): SQL {
  return raw`not exists (select 1 from unnest(${texts(keys)}) as wanted (key) where wanted.key = place.stream_key)`;
}

/** Makes a single array parameter, because a statement can have at most 65,535 parameters. */
function texts(values: readonly string[]): SQL {
  return raw`${raw.param(values)}::text[]`;
}

function instant(date: Date): SQL {
  return raw`${date.toISOString()}::timestamptz`;
}
