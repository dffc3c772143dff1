import { isUtf8 } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/http/request/client-address.ts';
import type { Principal } from '../../platform/principal.ts';
import { invalidPassword } from '../authentication-errors.ts';
import type { BasicUser, BasicUsers } from './basic-users.ts';
import type { ReserveFailure } from './limit-login-failures.ts';
import { type DeriveKey, KEY_BYTES } from './password-hash.ts';

/** Name and password of a request. */
export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** One scheme, one base64 (RFC 7617, section 2). Bounded, because every password is hashed. */
const BASIC = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i;

/** Whether an `Authorization` header is of the scheme `Basic`. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization);
}

/** Name and password in one form of Unicode (RFC 8265); undefined where the header has none. */
function readBasicCredentials(authorization: string): BasicCredentials | undefined {
  const bytes = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64');
  const text = bytes.toString('utf8').normalize('NFC');
  const colon = text.indexOf(':');
  if (colon < 1 || !isUtf8(bytes) || /\p{Cc}/u.test(text)) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Users and their passwords, of which good ones are remembered for a while. */
export interface BasicVerifier {
  /**
   * The user behind an `Authorization` header.
   *
   * @param address of the client; absent where it is not known
   * @throws GatewayError `UNAUTHENTICATED`, `OVERLOADED`, or `RATE_LIMITED` after too many that were not right
   */
  authenticate(authorization: string, address?: string): Promise<Principal>;
  /** Checks every password anew, because users have changed. */
  forget(): void;
}

export interface BasicVerifierOptions {
  readonly users: () => BasicUsers;
  readonly derive: DeriveKey;
  readonly reserveFailure: ReserveFailure;
  readonly clock: Clock;
  /** How long a password that was right is right without being hashed again. @unit milliseconds */
  readonly rememberMs: number;
}

/** @unit entries */
const MAX_REMEMBERED = 1_000;
/** What no password is compared with. */
const NOBODY = { salt: randomBytes(16), key: Buffer.alloc(KEY_BYTES) };

/**
 * HTTP Basic (RFC 7617). Every name costs one run of scrypt, known or not. Who was right is remembered under a hash whose key
 * dies with the process: a plain one would make a dump of the memory a list of passwords to try.
 */
export function createBasicVerifier({ users, derive, reserveFailure, clock, rememberMs }: BasicVerifierOptions): BasicVerifier {
  const secret = randomBytes(32);
  const right = new LRUCache<string, { readonly principal: Principal; readonly until: number }>({ max: MAX_REMEMBERED });
  const running = new Map<string, Promise<Principal>>();

  async function check(authorization: string, key: string, address: string | undefined): Promise<Principal> {
    const current = users();
    const { byName, cost } = current;
    const credentials = readBasicCredentials(authorization);
    if (credentials === undefined || cost === undefined) throw invalidPassword();
    const user: BasicUser | undefined = byName.get(credentials.name);
    const { salt, key: expected } = user?.password ?? NOBODY;
    const takeBack = reserveFailure(credentials.name, address === undefined ? undefined : networkOf(address));
    const derived = await derive(credentials.password, salt, cost).catch((error: unknown) => {
      takeBack(); // nobody knows whether it was right
      throw error;
    });
    const isRight = timingSafeEqual(derived, expected);
    if (user === undefined || !isRight) throw invalidPassword();
    takeBack();
    // Where the file has changed meanwhile, this may be the last time that the password was right.
    if (users() === current) right.set(key, { principal: user.principal, until: clock.monotonic() + rememberMs });
    return user.principal;
  }

  return {
    authenticate(authorization, address) {
      const key = createHmac('sha256', secret).update(authorization).digest('base64');
      const known = right.get(key);
      if (known !== undefined && clock.monotonic() < known.until) return Promise.resolve(known.principal);
      const checking = running.get(key) ?? check(authorization, key, address).finally(() => running.delete(key));
      running.set(key, checking);
      return checking;
    },
    forget: () => right.clear(),
  };
}
