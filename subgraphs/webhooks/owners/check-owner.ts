import { eq } from 'drizzle-orm';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Database } from '../../kit/database/database.ts';
import { blockDeliveries } from '../deliveries/block-deliveries.ts';
import { disableEndpoint } from '../delivery/disable-endpoint.ts';
import { type EndpointRow, endpoints } from '../tables.ts';
import type { OwnerDirectory } from './owner-directory.ts';
import { type Permissions, commonPermissions, includesAll, storedPermissions, toPermissionColumns } from './permissions.ts';

/** Returns the permissions with which events may be read for an owner; undefined when queued messages of the endpoint must not be sent. */
export type CheckOwner = (endpoint: EndpointRow) => Promise<Permissions | undefined>;

/**
 * Creates a check of the owner's permissions, which runs before events are read or sent. When the owner has lost roles or scopes, messages
 * that were created with them are blocked, and new ones use the remaining permissions. An endpoint whose owner no longer exists is disabled.
 */
export function createOwnerCheck(database: Database, findOwner: OwnerDirectory, clock: Clock): CheckOwner {
  return async (endpoint) => {
    const stored = storedPermissions(endpoint);
    const current = await findOwner({ id: endpoint.ownerId, ...stored });
    if (current !== undefined && includesAll(current, stored)) return stored;
    const now = new Date(clock.now());
    if (current === undefined) {
      await database.transaction(async (sql) => disableEndpoint(sql, { endpointId: endpoint.id, reason: 'OWNER_GONE', now }));
    } else {
      await withdraw(database, endpoint, { remaining: commonPermissions(stored, current), now });
    }
    return undefined;
  };
}

async function withdraw(
  database: Database,
  { id }: EndpointRow,
  { remaining, now }: { readonly remaining: Permissions; readonly now: Date },
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.update(endpoints).set(toPermissionColumns(remaining)).where(eq(endpoints.id, id));
    await blockDeliveries(sql, id, now);
  });
}
