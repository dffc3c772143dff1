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

/** A verifier on a clock that stands, whose passwords are looked at without being hashed. */
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
    rememberMs: 60_000,
  });
  const outcome = (name: string, password: string, address?: string): Promise<unknown> =>
    verifier.authenticate(basic(name, password), address).then(
      ({ id }) => id,
      (error: unknown) => (error instanceof GatewayError ? { code: error.code, message: error.message, headers: error.headers } : error),
    );
  const pass = (ms: number) => void (now += ms);
  return { outcome, pass, looks: () => looks };
}

const WRONG = expect.objectContaining({ code: 'UNAUTHENTICATED' });
const limited = (seconds: number) => ({
  code: 'RATE_LIMITED',
  message: `Too many failed logins. Try again in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
});

describe('wrong passwords', () => {
  it('given ten of one user from ten addresses, when another comes from an eleventh, then nobody looks at it, and the same holds for a name that nobody has', async () => {
    for (const name of ['alice', 'nobody']) {
      const { outcome, looks } = start();
      for (let n = 0; n < 10; n += 1) expect(await outcome(name, `wrong${n}`, `192.0.2.${n}`)).toEqual(WRONG);
      expect(await outcome(name, 'wrong', '192.0.2.99')).toEqual(limited(6));
      expect(await outcome(name, 'right', '192.0.2.99')).toEqual(limited(6));
      expect(looks()).toBe(10);
    }
  });

  it('given ten of ten users from one network, when another comes from it, then nobody looks at it, and others go on', async () => {
    const { outcome, looks } = start();
    for (let n = 0; n < 10; n += 1) expect(await outcome(`user${n}`, 'wrong', `2001:db8:1:2::${n}`)).toEqual(WRONG);
    expect(await outcome('alice', 'right', '2001:db8:1:2::ffff')).toEqual(limited(6));
    expect(looks()).toBe(10);
    expect(await outcome('alice', 'right', '2001:db8:1:3::1')).toBe('alice');
  });

  it('given too many, when time goes by, then one more is looked at every six seconds', async () => {
    const { outcome, pass, looks } = start();
    for (let n = 0; n < 10; n += 1) await outcome('alice', `wrong${n}`);
    pass(5_999);
    expect(await outcome('alice', 'wrong')).toEqual(limited(1));
    pass(1);
    expect(await outcome('alice', 'wrong')).toEqual(WRONG);
    expect(await outcome('alice', 'wrong')).toEqual(limited(6));
    pass(3_600_000);
    for (let n = 0; n < 10; n += 1) expect(await outcome('alice', `wrong${n}`)).toEqual(WRONG);
    expect(await outcome('alice', 'wrong')).toEqual(limited(6));
    expect(looks()).toBe(21);
  });

  it('given a hundred at once, when they come, then ten are looked at', async () => {
    const { outcome, looks } = start();
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, n) => outcome('alice', `wrong${n}`, '192.0.2.1')));
    expect(looks()).toBe(10);
    expect(outcomes.filter((one) => (one as { code: string }).code === 'RATE_LIMITED')).toHaveLength(90);
  });

  it('given names of every length, when they come from one address, then each is counted for it', async () => {
    const { outcome } = start();
    for (let n = 0; n < 10; n += 1) await outcome('x'.repeat(n + 1), 'wrong', '192.0.2.1');
    expect(await outcome('y', 'wrong', '192.0.2.1')).toEqual(limited(6));
  });
});

describe('right passwords', () => {
  it('given many logins that are right, when they come from one address, then none counts', async () => {
    const { outcome, pass } = start();
    for (let n = 0; n < 50; n += 1) {
      expect(await outcome(n % 2 === 0 ? 'alice' : 'bob', 'right', '192.0.2.1')).toBe(n % 2 === 0 ? 'alice' : 'bob');
      pass(60_000); // it is remembered no longer
    }
  });

  it('given somebody who guesses the password of a user, when that user was here a moment ago, then they stay in', async () => {
    const { outcome } = start();
    expect(await outcome('alice', 'right', '192.0.2.1')).toBe('alice');
    for (let n = 0; n < 20; n += 1) await outcome('alice', `wrong${n}`, '203.0.113.9');
    expect(await outcome('alice', 'right', '192.0.2.1')).toBe('alice');
  });

  it('given a gateway that is too busy to look, when logins are sent away, then none counts', async () => {
    const busy: DeriveKey = () => Promise.reject(new GatewayError('OVERLOADED', 'Too many.'));
    const { outcome } = start(busy);
    for (let n = 0; n < 50; n += 1) expect(await outcome('alice', 'right', '192.0.2.1')).toMatchObject({ code: 'OVERLOADED' });
  });
});
