import { ownerIdOf } from '../../../gateway/platform/principal.ts';
import { eq } from 'drizzle-orm';
import { requireUser } from '../../kit/access-rules.ts';
import type { Sql } from '../../kit/database/database.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { Caller, RequestContext } from '../../kit/request-context.ts';
import { type WriteResult, type WriteScope, performWrite } from '../../kit/writes/perform-write.ts';
import { checkVersion, refuseIfAny } from '../../kit/writes/user-errors.ts';
import { blockDeliveries } from '../deliveries/block-deliveries.ts';
import { cancelDeliveries } from '../deliveries/cancel-deliveries.ts';
import { PING_EVENT, enqueuePing } from '../delivery/enqueue.ts';
import { forgetPositions } from '../events/store-cursors.ts';
import { includesAll, permissionsOf, storedPermissions, toPermissionColumns } from '../owners/permissions.ts';
import { type DisabledReason, type EndpointRow, type EndpointState, deliveries, endpoints } from '../tables.ts';
import type { WebhooksDependencies } from '../webhooks-dependencies.ts';
import { lockEndpoint } from './endpoint-access.ts';
import { type EndpointContent, contentOf, isSameContent } from './endpoint-content.ts';
import { type EndpointPatch, checkContent, readEndpointPatch } from './endpoint-input.ts';

/** Endpoint that a write changes, and the version that the caller has read. */
export interface EndpointTarget {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/** State of an endpoint after a change. */
interface EndpointStatus {
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
}

type Switch = 'ACTIVE' | 'DISABLED';

const PENDING: EndpointStatus = { state: 'PENDING', disabledReason: null };
const DISABLED_BY_OWNER: EndpointStatus = { state: 'DISABLED', disabledReason: 'OWNER' };

/**
 * Writes the fields of a patch. A new or previously disabled address must respond to a ping before further messages are sent to it.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function updateEndpoint(
  dependencies: WebhooksDependencies,
  context: RequestContext,
  target: EndpointTarget,
  patch: EndpointPatch,
): Promise<WriteResult<EndpointRow>> {
  const caller = requireUser(context);
  const named = readEndpointPatch(patch);
  const { content: changes, problems } = await checkContent(named.content, 'patch', dependencies);
  const result = await performWrite(context, {
    async effect(scope) {
      const before = await lockEndpoint(context, scope.sql, target.id);
      refuseIfAny([...named.problems, ...problems]);
      checkVersion(target.expectedVersion, before.version);
      const content = { ...contentOf(before), ...changes };
      const requested = patch.state ?? undefined;
      return storeChange(scope, { before, content, requested, caller });
    },
  });
  dependencies.wake();
  return result;
}

/**
 * Deletes an endpoint with its secrets and deliveries.
 *
 * @returns the deleted endpoint
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function deleteEndpoint(context: RequestContext, target: EndpointTarget): Promise<WriteResult<EndpointRow>> {
  requireUser(context);
  return performWrite(context, {
    async effect({ sql }) {
      const endpoint = await lockEndpoint(context, sql, target.id);
      checkVersion(target.expectedVersion, endpoint.version);
      await sql.delete(endpoints).where(eq(endpoints.id, endpoint.id));
      return endpoint;
    },
  });
}

interface Change {
  readonly before: EndpointRow;
  readonly content: EndpointContent;
  readonly requested: Switch | undefined;
  readonly caller: Caller;
}

async function storeChange({ sql, now }: WriteScope, { before, content, requested, caller }: Change): Promise<EndpointRow> {
  const endpointStatus = statusAfter(before, content, requested);
  const isMoved = endpointStatus.state !== before.state;
  const isElsewhere = content.url !== before.url;
  if (isMoved && endpointStatus.state === 'DISABLED') await cancelDeliveries(sql, before.id, now);
  const isNew = (event: string): boolean => before.state === 'DISABLED' || !before.events.includes(event);
  if (endpointStatus.state !== 'DISABLED') await forgetPositions(sql, before, content.events.filter(isNew));
  // A response to a ping that was sent to another address must not make this one ACTIVE.
  if (endpointStatus.state === 'PENDING' && (isMoved || isElsewhere || requested === 'ACTIVE')) await pingAgain(sql, before, now);
  if (!isMoved && isSameContent(before, content)) return before;
  // When owners change their endpoint, its events are read with their current permissions from then on.
  const stored = storedPermissions(before);
  const permissions = ownerIdOf(caller) === before.ownerId ? permissionsOf(caller) : stored;
  if (!includesAll(permissions, stored)) await blockDeliveries(sql, before.id, now);
  const rows = await sql
    .update(endpoints)
    .set({
      ...content,
      ...endpointStatus,
      events: [...content.events],
      ...(isMoved || isElsewhere ? { failingSince: null } : {}),
      ...toPermissionColumns(permissions),
      updatedAt: now,
      version: before.version + 1,
    })
    .where(eq(endpoints.id, before.id))
    .returning();
  return onlyRow(rows);
}

function statusAfter(before: EndpointRow, { url }: EndpointContent, requested: Switch | undefined): EndpointStatus {
  const { state, disabledReason } = before;
  if (requested === 'DISABLED') return state === 'DISABLED' ? { state, disabledReason } : DISABLED_BY_OWNER;
  if (requested === 'ACTIVE' && state === 'DISABLED') return PENDING;
  return state === 'ACTIVE' && url !== before.url ? PENDING : { state, disabledReason };
}

async function pingAgain(sql: Sql, endpoint: EndpointRow, now: Date): Promise<void> {
  await cancelDeliveries(sql, endpoint.id, now, eq(deliveries.event, PING_EVENT));
  await enqueuePing(sql, endpoint, now);
}
