import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Principal } from '../platform/principal.ts';
import { describeIssues, parseCredentialJson } from './credentials-file.ts';
import { API_KEYS } from './owner-rules.ts';
import type { IsOwner } from './to-principal.ts';
import { invalidApiKey } from './authentication-errors.ts';

/** API keys of a file. The file contains only hashes of the secrets. */
export type ApiKeys = ReadonlyMap<string, ApiKey>;

interface ApiKey {
  /** SHA-256 hash of the secret. */
  readonly digest: Buffer;
  readonly principal: Principal;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Key id and secret. The secret is too long to be guessed: 32 hexadecimal characters are 128 bits. */
const PRESENTED = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{32,256})$/;

const names = z.array(z.string().min(1)).default([]);

const file = z.strictObject({
  keys: z.array(
    z.strictObject({
      id: z.string().regex(ID, 'expected at most 64 letters, digits, - and _'),
      sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'expected the SHA-256 hash of the secret as 64 hexadecimal digits'),
      issuer: z.string().min(1).optional(),
      subject: z.string().min(1).optional(),
      kind: z.enum(['user', 'service']).default('service'),
      roles: names,
      scopes: names,
      expiresAt: z.iso.datetime({ offset: true }).optional(),
    }),
  ),
});

/** Digest that is compared if the key does not exist, so that the comparison takes the same time. */
const NO_DIGEST = Buffer.alloc(32);

/** Parses a file of API keys. @throws Error with every mistake in the file, without any hashes */
export function parseApiKeys(text: string, isOwner: IsOwner = () => false): ApiKeys {
  const parsed = file.safeParse(parseCredentialJson(text));
  if (!parsed.success) throw new Error(describeIssues(parsed.error));
  const keys = new Map<string, ApiKey>();
  for (const { id, sha256, ...about } of parsed.data.keys) {
    if (keys.has(id)) throw new Error(`two keys have the id "${id}"`);
    keys.set(id, { digest: Buffer.from(sha256, 'hex'), principal: principalOf(id, about, isOwner) });
  }
  return keys;
}

type KeyOwner = Omit<z.infer<typeof file>['keys'][number], 'id' | 'sha256'>;

function principalOf(
  id: string,
  { issuer = API_KEYS, subject = id, kind, roles, scopes, expiresAt }: KeyOwner,
  isOwner: IsOwner,
): Principal {
  return Object.freeze({
    issuer,
    kind,
    id: subject,
    isOwner: isOwner(issuer, kind),
    roles: new Set(roles),
    scopes: new Set(scopes),
    claims: Object.freeze({}),
    keyId: id,
    ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
  });
}

/** Returns the principal of the key `<id>.<secret>`. @throws GatewayError `UNAUTHENTICATED` when the key is unknown, wrong or expired */
export function findKeyOwner(keys: ApiKeys, presented: string, clock: Clock): Principal {
  const [, id = '', secret = ''] = PRESENTED.exec(presented) ?? [];
  const key = keys.get(id);
  const isRight = timingSafeEqual(createHash('sha256').update(secret).digest(), key?.digest ?? NO_DIGEST);
  if (key === undefined || !isRight || clock.now() >= (key.principal.expiresAt ?? Infinity)) throw invalidApiKey();
  return key.principal;
}
