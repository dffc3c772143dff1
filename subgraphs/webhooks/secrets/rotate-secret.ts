import { eq } from 'drizzle-orm';
import { requireUser } from '../../kit/access-rules.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { type WriteResult, performWrite } from '../../kit/writes/perform-write.ts';
import { checkVersion } from '../../kit/writes/user-errors.ts';
import type { EndpointTarget } from '../endpoints/change-endpoint.ts';
import type { NewSecret } from '../endpoints/create-endpoint.ts';
import { lockEndpoint } from '../endpoints/endpoint-access.ts';
import { endpoints } from '../tables.ts';
import { replaceSecret } from './endpoint-secrets.ts';
import type { SecretBox } from './secret-box.ts';

/** A secret that replaced another one. */
export interface RotatedSecret extends NewSecret {
  /** Time until which the previous secret also signs. */
  readonly previousExpiresAt: Date;
}

/**
 * Replaces the secret of an endpoint.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`, `IDEMPOTENCY_KEY_INVALID`
 */
export async function rotateSecret(
  box: SecretBox,
  context: RequestContext,
  target: EndpointTarget,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<RotatedSecret>> {
  requireUser(context);
  const { id, expectedVersion = null } = target;
  return performWrite<RotatedSecret>(context, {
    once: { operation: 'rotateWebhookSecret', input: { id, expectedVersion }, key: idempotencyKey },
    async effect({ sql, now }) {
      const before = await lockEndpoint(context, sql, id);
      checkVersion(expectedVersion, before.version);
      const rotated = await replaceSecret(sql, box, before, now);
      const changes = { updatedAt: now, version: before.version + 1 };
      const endpoint = onlyRow(await sql.update(endpoints).set(changes).where(eq(endpoints.id, before.id)).returning());
      return { endpoint, ...rotated };
    },
  });
}
