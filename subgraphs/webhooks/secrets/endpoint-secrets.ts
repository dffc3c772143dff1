import { type SQL, and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { type EndpointRow, secrets } from '../tables.ts';
import { type SecretBox, SecretUnreadable } from './secret-box.ts';
import { createSigningSecret } from './signing-secret.ts';

type Endpoint = Pick<EndpointRow, 'id'>;

/** How long the secret before signs beside a new one. @unit milliseconds */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;

/** Makes the secret of an endpoint. @returns it sealed: what goes into an idempotency record must not tell it either */
export async function addSecret(sql: Sql, box: SecretBox, { id }: Endpoint, now: Date): Promise<string> {
  const sealed = box.seal(createSigningSecret(), placeOf(id));
  await sql.insert(secrets).values({ endpointId: id, sealed, createdAt: now });
  return sealed;
}

/**
 * Puts a new secret in the place of the one that signs. That one signs on until the given instant; one that was replaced before ends here,
 * so that never more than two sign.
 */
export async function replaceSecret(
  sql: Sql,
  box: SecretBox,
  endpoint: Endpoint,
  now: Date,
): Promise<{ readonly sealed: string; readonly previousExpiresAt: Date }> {
  const isOf = eq(secrets.endpointId, endpoint.id);
  const previousExpiresAt = new Date(now.getTime() + OVERLAP_MS);
  await sql.delete(secrets).where(and(isOf, isNotNull(secrets.expiresAt)));
  await sql.update(secrets).set({ expiresAt: previousExpiresAt }).where(isOf);
  return { sealed: await addSecret(sql, box, endpoint, now), previousExpiresAt };
}

/** Opens what `addSecret` or `replaceSecret` gave. @throws SecretUnreadable when the key of that time is not known any more */
export function openSecret(box: SecretBox, { id }: Endpoint, sealed: string): string {
  return box.open(sealed, placeOf(id));
}

/**
 * The secrets that sign at this instant, the newest first. One that does not open is left out beside one that does: an owner who makes
 * another after a key was lost need not wait until the one before has expired.
 *
 * @throws SecretUnreadable when none opens
 */
export async function readSigningSecrets(sql: Sql, box: SecretBox, endpoint: Endpoint, now: Date): Promise<readonly string[]> {
  const rows = await sql
    .select()
    .from(secrets)
    .where(and(eq(secrets.endpointId, endpoint.id), isAlive(now)))
    .orderBy(desc(secrets.id));
  const opened = rows.map(({ sealed }) => tryToOpen(box, endpoint, sealed));
  const readable = opened.filter((secret) => typeof secret === 'string');
  const [first] = opened;
  if (readable.length === 0 && first instanceof SecretUnreadable) throw first;
  return readable;
}

function tryToOpen(box: SecretBox, endpoint: Endpoint, sealed: string): string | SecretUnreadable {
  try {
    return openSecret(box, endpoint, sealed);
  } catch (error) {
    if (error instanceof SecretUnreadable) return error;
    throw error;
  }
}

function isAlive(now: Date): SQL | undefined {
  return or(isNull(secrets.expiresAt), gt(secrets.expiresAt, now));
}

function placeOf(endpointId: string): string {
  return `endpoint ${endpointId}`;
}
