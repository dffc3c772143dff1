import { scryptSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseBasicUsers } from '../../../../gateway/auth/basic/basic-users.ts';
import type { DeriveKey } from '../../../../gateway/auth/basic/password-hash.ts';
import { limitLoginFailures } from '../../../../gateway/auth/basic/limit-login-failures.ts';
import { createBasicVerifier } from '../../../../gateway/auth/basic/verify-basic.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';

const SALT = Buffer.from('0123456789abcdef');
const COST = { N: 2 ** 14, r: 8, p: 1 };
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const hashed = (password: string) => `$scrypt$ln=14,r=8,p=1$${unpadded(SALT)}$${unpadded(scryptSync(password, SALT, 32, COST))}`;
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** Creates a verifier on a manual clock that checks passwords without hashing them. */
function start(derive?: DeriveKey) {
  let now = 0;
  let looks = 0;
  const keys = new Map([['right', scryptSync('right', SALT, 32, COST)]]);
  const users = parseBasicUsers(JSON.stringify({ users: ['alice', 'bob'].map((name) => ({ name, password: hashed('right') })) }));
  const clock = { now: () => now, monotonic: () => now };
  const verifier = createBasicVerifier({
    users: () => users,
    derive:
      derive ??
      (async (password) => {
        looks += 1;
        return keys.get(password) ?? Buffer.alloc(32, 1);
      }),
    reserveFailure: limitLoginFailures({ maxPerMinute: 10, clock }),
    clock,
    cacheMs: 60_000,
  });
  const result = (name: string, password: string, address?: string): Promise<unknown> =>
    verifier.authenticate(basic(name, password), address).then(
      ({ id }) => id,
      (error: unknown) => (error instanceof GatewayError ? { code: error.code, message: error.message, headers: error.headers } : error),
    );
  const pass = (ms: number) => void (now += ms);
  return { result, pass, looks: () => looks };
}

const WRONG = expect.objectContaining({ code: 'UNAUTHENTICATED' });
const limited = (seconds: number) => ({
  code: 'RATE_LIMITED',
  message: `Too many failed logins. Try again in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
});

describe('wrong passwords', () => {
  it('are limited to ten checks of one name from all addresses, even an unknown name', async () => {
    for (const name of ['alice', 'nobody']) {
      const { result, looks } = start();
      for (let n = 0; n < 10; n += 1) expect(await result(name, `wrong${n}`, `192.0.2.${n}`)).toEqual(WRONG);
      expect(await result(name, 'wrong', '192.0.2.99')).toEqual(limited(6));
      expect(await result(name, 'right', '192.0.2.99')).toEqual(limited(6));
      expect(looks()).toBe(10);
    }
  });

  it('are limited to ten checks from one network for all users, and not elsewhere', async () => {
    const { result, looks } = start();
    for (let n = 0; n < 10; n += 1) expect(await result(`user${n}`, 'wrong', `2001:db8:1:2::${n}`)).toEqual(WRONG);
    expect(await result('alice', 'right', '2001:db8:1:2::ffff')).toEqual(limited(6));
    expect(looks()).toBe(10);
    expect(await result('alice', 'right', '2001:db8:1:3::1')).toBe('alice');
  });

  it('are checked again every six seconds after the limit is reached', async () => {
    const { result, pass, looks } = start();
    for (let n = 0; n < 10; n += 1) await result('alice', `wrong${n}`);
    pass(5_999);
    expect(await result('alice', 'wrong')).toEqual(limited(1));
    pass(1);
    expect(await result('alice', 'wrong')).toEqual(WRONG);
    expect(await result('alice', 'wrong')).toEqual(limited(6));
    pass(3_600_000);
    for (let n = 0; n < 10; n += 1) expect(await result('alice', `wrong${n}`)).toEqual(WRONG);
    expect(await result('alice', 'wrong')).toEqual(limited(6));
    expect(looks()).toBe(21);
  });

  it('are checked ten times when 100 arrive at once', async () => {
    const { result, looks } = start();
    const results = await Promise.all(Array.from({ length: 100 }, (_, n) => result('alice', `wrong${n}`, '192.0.2.1')));
    expect(looks()).toBe(10);
    expect(results.filter((one) => (one as { code: string }).code === 'RATE_LIMITED')).toHaveLength(90);
  });

  it('count for their address with names of every length', async () => {
    const { result } = start();
    for (let n = 0; n < 10; n += 1) await result('x'.repeat(n + 1), 'wrong', '192.0.2.1');
    expect(await result('y', 'wrong', '192.0.2.1')).toEqual(limited(6));
  });
});

describe('correct passwords', () => {
  it('do not count, even when many arrive from one address', async () => {
    const { result, pass } = start();
    for (let n = 0; n < 50; n += 1) {
      expect(await result(n % 2 === 0 ? 'alice' : 'bob', 'right', '192.0.2.1')).toBe(n % 2 === 0 ? 'alice' : 'bob');
      pass(60_000); // The correct password is no longer cached.
    }
  });

  it('remain valid for a recently logged-in user while an attacker guesses', async () => {
    const { result } = start();
    expect(await result('alice', 'right', '192.0.2.1')).toBe('alice');
    for (let n = 0; n < 20; n += 1) await result('alice', `wrong${n}`, '203.0.113.9');
    expect(await result('alice', 'right', '192.0.2.1')).toBe('alice');
  });

  it('do not count when logins are rejected because of overload', async () => {
    const busy: DeriveKey = () => Promise.reject(new GatewayError('OVERLOADED', 'Too many.'));
    const { result } = start(busy);
    for (let n = 0; n < 50; n += 1) expect(await result('alice', 'right', '192.0.2.1')).toMatchObject({ code: 'OVERLOADED' });
  });
});
