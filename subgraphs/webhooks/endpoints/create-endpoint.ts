import { count, eq, sql as raw } from 'drizzle-orm';
import { notAUser, requireOwnerId } from '../../kit/access-rules.ts';
import type { Sql } from '../../kit/database/database.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { type WriteResult, performWrite } from '../../kit/writes/perform-write.ts';
import { refuseIfAny, writeRejected } from '../../kit/writes/user-errors.ts';
import { enqueuePing } from '../delivery/enqueue.ts';
import { forgetPositions } from '../events/store-cursors.ts';
import { permissionsOf, toPermissionColumns } from '../owners/permissions.ts';
import { addSecret } from '../secrets/endpoint-secrets.ts';
import { type EndpointRow, endpoints } from '../tables.ts';
import type { WebhooksDependencies } from '../webhooks-dependencies.ts';
import type { EndpointContent } from './endpoint-content.ts';
import { checkContent } from './endpoint-input.ts';

/** An endpoint with its secret, which is shown only once. */
export interface NewSecret {
  readonly endpoint: EndpointRow;
  readonly sealed: string;
}

/** Key of an advisory lock that nothing else uses, so that simultaneous registrations of one owner are counted. */
const QUOTA_LOCK = 7_202;

/**
 * Registers an endpoint of the caller, and sends it a ping.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`, `IDEMPOTENCY_KEY_INVALID`
 */
export async function createEndpoint(
  dependencies: WebhooksDependencies,
  context: RequestContext,
  input: EndpointContent,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<NewSecret>> {
  const ownerId = requireOwnerId(context);
  const permissions = permissionsOf(context.principal);
  // DNS and the directory are queried before the transaction, but their errors are reported inside it, because a replay of an earlier request
  // has precedence.
  const isKnown = (await dependencies.findOwner({ id: ownerId, ...permissions })) !== undefined;
  const { content, problems } = await checkContent(input, 'input', dependencies);
  const result = await performWrite<NewSecret>(context, {
    once: { operation: 'createWebhook', input, key: idempotencyKey },
    async effect({ sql, now }) {
      if (!isKnown) throw notAUser();
      refuseIfAny(problems);
      await checkQuota(sql, ownerId, dependencies.maxEndpoints);
      const row = { ...content, events: [...content.events], ownerId, ...toPermissionColumns(permissions) };
      const state = { state: 'PENDING', createdAt: now, updatedAt: now, version: 1 } as const;
      const endpoint = onlyRow(
        await sql
          .insert(endpoints)
          .values({ ...row, ...state })
          .returning(),
      );
      await forgetPositions(sql, endpoint, content.events);
      const sealed = await addSecret(sql, dependencies.box, endpoint, now);
      await enqueuePing(sql, endpoint, now);
      return { endpoint, sealed };
    },
  });
  dependencies.wake();
  return result;
}

/** @throws WriteRejected `CONFLICT` */
async function checkQuota(sql: Sql, ownerId: string, maxEndpoints: number): Promise<void> {
  await sql.execute(raw`select pg_advisory_xact_lock(${QUOTA_LOCK}, hashtext(${ownerId}))`);
  const { total } = onlyRow(await sql.select({ total: count() }).from(endpoints).where(eq(endpoints.ownerId, ownerId)));
  if (total < maxEndpoints) return;
  throw writeRejected('CONFLICT', '', `The caller has ${total} webhooks; at most ${maxEndpoints} are allowed. Delete one first.`);
}
