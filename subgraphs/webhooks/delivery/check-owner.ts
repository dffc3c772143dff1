import { eq } from 'drizzle-orm';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Database } from '../../kit/database/database.ts';
import { blockDeliveries } from '../deliveries/block-deliveries.ts';
import { type EndpointRow, endpoints } from '../tables.ts';
import { disableEndpoint } from './disable-endpoint.ts';

/** Who owns an endpoint, with the roles that were stored with it. */
export interface Owner {
  readonly id: string;
  readonly roles: readonly string[];
}

/**
 * The roles that an owner has today; undefined where there is no such owner any more. Who knows it depends on the graph: a directory of
 * people, an identity provider.
 */
export type ReadOwnerRoles = (owner: Owner) => Promise<readonly string[] | undefined>;

/** The roles with which an owner may be told of events today; undefined where what was queued for the endpoint must not be sent. */
export type CheckOwner = (endpoint: EndpointRow) => Promise<readonly string[] | undefined>;

/**
 * Looks at an owner's rights again, before anything is read or sent for them. Where they are less than they were, what was made with them
 * is blocked, and what comes is made with those that are left. An endpoint whose owner is gone is disabled.
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
