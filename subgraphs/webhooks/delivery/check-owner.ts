import { eq } from 'drizzle-orm';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Database } from '../../kit/database/database.ts';
import { blockDeliveries } from '../deliveries/block-deliveries.ts';
import { type EndpointRow, endpoints } from '../tables.ts';
import { disableEndpoint } from './disable-endpoint.ts';

/** Owner of an endpoint, with the roles that were stored with it. */
export interface Owner {
  readonly id: string;
  readonly roles: readonly string[];
}

/**
 * Returns the current roles of an owner; undefined when the owner no longer exists. The source depends on the graph, such as a user
 * directory or an identity provider.
 */
export type ReadOwnerRoles = (owner: Owner) => Promise<readonly string[] | undefined>;

/** Returns the roles with which events may be read for an owner; undefined when queued messages of the endpoint must not be sent. */
export type CheckOwner = (endpoint: EndpointRow) => Promise<readonly string[] | undefined>;

/**
 * Creates a check of the owner's permissions, which runs before events are read or sent. When the owner has lost roles, messages that were
 * created with them are blocked, and new ones use the remaining roles. An endpoint whose owner no longer exists is disabled.
 */
export function createOwnerCheck(database: Database, readOwnerRoles: ReadOwnerRoles, clock: Clock): CheckOwner {
  return async (endpoint) => {
    const roles = await readOwnerRoles({ id: endpoint.ownerId, roles: endpoint.ownerRoles });
    if (roles !== undefined && endpoint.ownerRoles.every((role) => roles.includes(role))) return endpoint.ownerRoles;
    const now = new Date(clock.now());
    if (roles === undefined) {
      await database.transaction(async (sql) => disableEndpoint(sql, { endpointId: endpoint.id, reason: 'OWNER_GONE', now }));
    } else {
      await withdraw(database, endpoint, { roles: endpoint.ownerRoles.filter((role) => roles.includes(role)), now });
    }
    return undefined;
  };
}

async function withdraw(
  database: Database,
  { id }: EndpointRow,
  { roles, now }: { readonly roles: readonly string[]; readonly now: Date },
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql
      .update(endpoints)
      .set({ ownerRoles: [...roles] })
      .where(eq(endpoints.id, id));
    await blockDeliveries(sql, id, now);
  });
}
