import { z } from 'zod';
import type { Principal } from '../../platform/principal.ts';
import { describeIssues, parseCredentialJson } from '../credentials-file.ts';
import { BASIC_USERS } from '../owner-rules.ts';
import type { IsOwner } from '../to-principal.ts';
import { type PasswordHash, parsePasswordHash, type ScryptCost } from './password-hash.ts';

/** Users of a file. The file contains only hashes of the passwords. */
export interface BasicUsers {
  readonly byName: ReadonlyMap<string, BasicUser>;
  /**
   * Cost parameters of all password hashes. They must be equal, because otherwise the duration of a login would reveal the user. Undefined
   * if there are no users.
   */
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
      name: z.string().regex(/^[^\p{Cc}:]{1,128}$/u, 'expected at most 128 characters without colons and control characters'),
      password: z.string(),
      issuer: z.string().min(1).optional(),
      subject: z.string().min(1).optional(),
      roles: names,
      scopes: names,
    }),
  ),
});

/** Parses a file of Basic users. @throws Error with every mistake in the file, without any hashes */
export function parseBasicUsers(text: string, isOwner: IsOwner = () => false): BasicUsers {
  const parsed = file.safeParse(parseCredentialJson(text));
  if (!parsed.success) throw new Error(describeIssues(parsed.error));
  const byName = new Map<string, BasicUser>();
  for (const { name, password, issuer = BASIC_USERS, subject = name, roles, scopes } of parsed.data.users) {
    const known = name.normalize('NFC');
    if (byName.has(known)) throw new Error(`two users have the name "${known}"`);
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
  if (!others.every(isSame)) throw new Error('the scrypt parameters (ln, r, p) must be the same for all users');
  return first;
}
