import { type SQL, and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { type EndpointRow, secrets } from '../tables.ts';
import { type SecretBox, SecretUnreadable } from './secret-box.ts';
import { createSigningSecret } from './signing-secret.ts';

type Endpoint = Pick<EndpointRow, 'id'>;

/** Time for which the previous secret signs in addition to a new one. @unit milliseconds */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;

/** Creates the secret of an endpoint. @returns the encrypted secret, because an idempotency record must not contain it in plain text */
export async function addSecret(sql: Sql, box: SecretBox, { id }: Endpoint, now: Date): Promise<string> {
  const sealed = box.seal(createSigningSecret(), purposeOf(id));
  await sql.insert(secrets).values({ endpointId: id, sealed, createdAt: now });
  return sealed;
}

/**
 * Replaces the signing secret of an endpoint. The previous one also signs until the returned time. An older one is removed, so that at most
 * two sign.
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

/** Decrypts a result of `addSecret` or `replaceSecret`. @throws SecretUnreadable when its key is no longer configured */
export function openSecret(box: SecretBox, { id }: Endpoint, sealed: string): string {
  return box.open(sealed, purposeOf(id));
}

/**
 * Returns the current signing secrets, newest first. A secret that cannot be decrypted is skipped when another can: an owner who creates a
 * new one after a key was lost need not wait until the previous one expires.
 *
 * @throws SecretUnreadable when none can be decrypted
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

function purposeOf(endpointId: string): string {
  return `endpoint ${endpointId}`;
}
