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

/** User name and password of a request. */
export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** Header with one scheme and one base64 value (RFC 7617, section 2). The length is limited, because every password is hashed. */
const BASIC = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i;

/** Whether an `Authorization` header has the scheme `Basic`. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization);
}

/** Reads user name and password in normalized Unicode (RFC 8265). Undefined if the header is malformed. */
function readBasicCredentials(authorization: string): BasicCredentials | undefined {
  const bytes = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64');
  const text = bytes.toString('utf8').normalize('NFC');
  const colon = text.indexOf(':');
  if (colon < 1 || !isUtf8(bytes) || /\p{Cc}/u.test(text)) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Verifier for HTTP Basic that caches valid credentials for a limited time. */
export interface BasicVerifier {
  /**
   * Returns the principal for an `Authorization` header.
   *
   * @param address address of the client; absent if it is unknown
   * @throws GatewayError `UNAUTHENTICATED`, `OVERLOADED`, or `RATE_LIMITED` after too many wrong passwords
   */
  authenticate(authorization: string, address?: string): Promise<Principal>;
  /** Clears the cache, so that every password is checked again after users have changed. */
  forget(): void;
}

export interface BasicVerifierOptions {
  readonly users: () => BasicUsers;
  readonly derive: DeriveKey;
  readonly reserveFailure: ReserveFailure;
  readonly clock: Clock;
  /** How long a correct password is cached before it is hashed again. @unit milliseconds */
  readonly cacheMs: number;
}

/** Maximum number of cached credentials. @unit entries */
const MAX_REMEMBERED = 1_000;
/** Password hash for unknown users. No password matches it. */
const UNKNOWN_USER_PASSWORD = { salt: randomBytes(16), key: Buffer.alloc(KEY_BYTES) };

/**
 * Creates a verifier for HTTP Basic (RFC 7617). Known and unknown names cost one scrypt run each. Valid credentials are cached under an
 * HMAC whose key exists only in this process. With a plain hash, a memory dump would allow offline password guessing.
 */
export function createBasicVerifier({ users, derive, reserveFailure, clock, cacheMs }: BasicVerifierOptions): BasicVerifier {
  const secret = randomBytes(32);
  const right = new LRUCache<string, { readonly principal: Principal; readonly until: number }>({ max: MAX_REMEMBERED });
  const running = new Map<string, Promise<Principal>>();

  async function check(authorization: string, key: string, address: string | undefined): Promise<Principal> {
    const current = users();
    const { byName, cost } = current;
    const credentials = readBasicCredentials(authorization);
    if (credentials === undefined || cost === undefined) throw invalidPassword();
    const user: BasicUser | undefined = byName.get(credentials.name);
    const { salt, key: expected } = user?.password ?? UNKNOWN_USER_PASSWORD;
    const takeBack = reserveFailure(credentials.name, address === undefined ? undefined : networkOf(address));
    const derived = await derive(credentials.password, salt, cost).catch((error: unknown) => {
      takeBack(); // The password was not checked, so it does not count as a failure.
      throw error;
    });
    const isRight = timingSafeEqual(derived, expected);
    if (user === undefined || !isRight) throw invalidPassword();
    takeBack();
    // If the file was changed in the meantime, the password may no longer be valid and is not cached.
    if (users() === current) right.set(key, { principal: user.principal, until: clock.monotonic() + cacheMs });
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
