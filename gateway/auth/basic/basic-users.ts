import { z } from 'zod';
import type { Principal } from '../../platform/principal.ts';
import { describeFaults, parseCredentialJson } from '../credentials-file.ts';
import { BASIC_USERS } from '../owner-rules.ts';
import type { IsOwner } from '../to-principal.ts';
import { type PasswordHash, parsePasswordHash, type ScryptCost } from './password-hash.ts';

/** The users of a file; of their passwords it has hashes only. */
export interface BasicUsers {
  readonly byName: ReadonlyMap<string, BasicUser>;
  /** The same for all: whoever measures what a password costs must not learn whose it is. Undefined without users. */
  readonly cost: ScryptCost | undefined;
}

export interface BasicUser {
  readonly password: PasswordHash;
  readonly principal: Principal;
}

const names = z.array(z.string().min(1)).default([]);

const file = z.strictObject({
  users: z.array(
    z.strictObject({
      name: z.string().regex(/^[^\p{Cc}:]{1,128}$/u, 'a name has no colon and no control characters, 128 characters at most'),
      password: z.string(),
      issuer: z.string().min(1).optional(),
      subject: z.string().min(1).optional(),
      roles: names,
      scopes: names,
    }),
  ),
});

/** @throws Error with every mistake of the file, and none of its hashes */
export function parseBasicUsers(text: string, isOwner: IsOwner = () => false): BasicUsers {
  const parsed = file.safeParse(parseCredentialJson(text));
  if (!parsed.success) throw new Error(describeFaults(parsed.error));
  const byName = new Map<string, BasicUser>();
  for (const { name, password, issuer = BASIC_USERS, subject = name, roles, scopes } of parsed.data.users) {
    const known = name.normalize('NFC');
    if (byName.has(known)) throw new Error(`two users are named "${known}"`);
    const principal: Principal = {
      issuer,
      kind: 'user',
      id: subject,
      isOwner: isOwner(issuer, 'user'),
      roles: new Set(roles),
      scopes: new Set(scopes),
      claims: Object.freeze({}),
    };
    byName.set(known, { password: parsePasswordHash(password, known), principal: Object.freeze(principal) });
  }
  return { byName, cost: commonCost([...byName.values()]) };
}

function commonCost(users: readonly BasicUser[]): ScryptCost | undefined {
  const [first, ...others] = users.map(({ password }) => password.cost);
  if (first === undefined) return undefined;
  const isSame = ({ N, r, p }: ScryptCost): boolean => N === first.N && r === first.r && p === first.p;
  if (!others.every(isSame)) throw new Error('the parameters of scrypt (ln, r, p) must be the same for all users');
  return first;
}
