import { type SQL, sql as raw } from 'drizzle-orm';
import type { Database, Sql } from '../../kit/database/database.ts';
import { type EndpointRow, cursors, endpoints } from '../tables.ts';
import { familyOf, type OwnerStream, RIGHTS_LENGTH } from './owner-stream.ts';

/** Events are kept for those who come back for so long. @unit milliseconds */
const KEPT_MS = 10 * 60 * 1_000;

/**
 * Where an owner's roles have changed, the stream with the new ones goes on where the one with the old ones was. Streams that are still wanted
 * are other endpoints' and leave nothing.
 *
 * @param fresh streams that nobody followed before
 * @param wanted keys of all that are wanted, these among them
 */
export async function inheritCursors({ sql }: Database, fresh: readonly OwnerStream[], wanted: readonly string[]): Promise<void> {
  if (fresh.length === 0) return;
  const [keys, families] = [fresh.map(({ key }) => key), fresh.map(({ family }) => family)];
  await sql.execute(raw`
    insert into ${cursors} (stream_key, last_event_id, updated_at)
    select distinct on (fresh.key) fresh.key, place.last_event_id, place.updated_at
      from unnest(${texts(keys)}, ${texts(families)}) as fresh (key, family)
      join ${cursors} as place on left(place.stream_key, ${raw.raw(String(-RIGHTS_LENGTH))}) = fresh.family
     where ${isNoneOf(wanted)}
     order by fresh.key, place.updated_at desc
        on conflict do nothing`);
}

/**
 * Forgets the places that nobody has wanted for as long as events are kept: who wants one again gets what happens from then on. Those that are
 * wanted stay young, however long nothing happens there, so that age tells since when nobody wants them.
 */
export async function keepCursors({ sql }: Database, wanted: readonly string[], now: Date): Promise<void> {
  // What another one is writing is young in a moment; to wait for it in any order could be to wait for each other.
  await sql.execute(raw`
    update ${cursors} set updated_at = ${instant(now)}
     where stream_key in (
       select place.stream_key
         from ${cursors} as place join unnest(${texts(wanted)}) as wanted (key) on wanted.key = place.stream_key
        where place.updated_at < ${instant(now)}
          for no key update of place skip locked)`);
  const old = new Date(now.getTime() - KEPT_MS);
  await sql.execute(raw`delete from ${cursors} as place where place.updated_at < ${instant(old)} and ${isNoneOf(wanted)}`);
}

/**
 * An endpoint that begins to want events is told what happens from then on. Places that endpoints have left which are gone or switched off
 * would bring it what happened before; those of endpoints that only wait for a ping, as after a change of address, stay theirs.
 */
export async function forgetPlaces(
  sql: Sql,
  { id, ownerId }: Pick<EndpointRow, 'id' | 'ownerId'>,
  events: readonly string[],
): Promise<void> {
  if (events.length === 0) return;
  const families = events.map((event) => familyOf(event, ownerId));
  await sql.execute(raw`
    delete from ${cursors} as place
     using unnest(${texts(events)}, ${texts(families)}) as begun (event, family)
     where left(place.stream_key, ${raw.raw(String(-RIGHTS_LENGTH))}) = begun.family
       and not exists (
         select 1 from ${endpoints} as other
          where other.owner_id = ${ownerId} and other.id <> ${id} and other.state <> 'DISABLED' and begun.event = any(other.events))`);
}

/** A join, because a list of thousands would be looked through for each row. */
function isNoneOf(keys: readonly string[]): SQL {
  return raw`not exists (select 1 from unnest(${texts(keys)}) as wanted (key) where wanted.key = place.stream_key)`;
}

/** One parameter, however many there are: a statement takes 65,535. */
function texts(values: readonly string[]): SQL {
  return raw`${raw.param(values)}::text[]`;
}

function instant(date: Date): SQL {
  return raw`${date.toISOString()}::timestamptz`;
}
