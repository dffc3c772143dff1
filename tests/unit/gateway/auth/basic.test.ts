import { scryptSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthentication } from '../../../../gateway/auth/authenticator.ts';
import { parseBasicUsers } from '../../../../gateway/auth/basic/basic-users.ts';
import { type DeriveKey, withBoundedConcurrency } from '../../../../gateway/auth/basic/password-hash.ts';
import { limitLoginFailures } from '../../../../gateway/auth/basic/limit-login-failures.ts';
import type { ScryptCost } from '../../../../gateway/auth/basic/password-hash.ts';
import { createBasicVerifier } from '../../../../gateway/auth/basic/verify-basic.ts';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

const SALT = Buffer.from('0123456789abcdef');
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** Hashes a password in the format of passlib and other libraries. */
function hashOf(password: string, ln = 14): string {
  const key = scryptSync(password, SALT, 32, { N: 2 ** ln, r: 8, p: 1, maxmem: 2 ** (ln + 11) });
  return `$scrypt$ln=${ln},r=8,p=1$${unpadded(SALT)}$${unpadded(key)}`;
}

const ALICE = { name: 'alice', password: hashOf('correct horse: battery'), subject: '1', roles: ['ADMIN'] };
const ZOE = { name: 'Zoë', password: hashOf('pässwörd'.normalize('NFC')) };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const usersOf = (...users: readonly unknown[]) => JSON.stringify({ users });

const REJECTED = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  message: 'The user name or password is invalid.',
  headers: { 'www-authenticate': 'Basic realm="gatefold", charset="UTF-8"' },
});

describe('verifier of names and passwords', () => {
  /** Creates a verifier that records the cost of every hash, with a clock that the test controls. */
  function counting() {
    const costs: ScryptCost[] = [];
    const derive: DeriveKey = async (password, salt, cost) => {
      costs.push(cost);
      return scryptSync(password, salt, 32, { ...cost, maxmem: 256 * cost.N * cost.r });
    };
    let users = parseBasicUsers(usersOf(ALICE, ZOE));
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const reserveFailure = limitLoginFailures({ maxPerMinute: 10, clock });
    const verifier = createBasicVerifier({ users: () => users, derive, reserveFailure, clock, cacheMs: 60_000 });
    const pass = (ms: number) => void (now += ms);
    const replace = (text: string) => {
      users = parseBasicUsers(text);
      verifier.forget();
    };
    return { verifier, costs, pass, replace };
  }

  it('hashes a wrong password once, at the same cost for known and unknown names', async () => {
    const { verifier, costs } = counting();
    for (const name of ['alice', 'nobody', '__proto__', 'ALICE', 'a'.repeat(128)]) {
      await expect(verifier.authenticate(basic(`${name}:wrong`))).rejects.toEqual(REJECTED);
    }
    expect(costs).toEqual(Array.from({ length: 5 }, () => ({ N: 16_384, r: 8, p: 1 })));
  });

  it('does not hash a correct password again within a minute', async () => {
    const { verifier, costs, pass } = counting();
    const header = basic('alice:correct horse: battery');
    const principal = await verifier.authenticate(header);
    expect(principal).toMatchObject({ kind: 'user', id: '1', roles: new Set(['ADMIN']) });
    expect(await verifier.authenticate(header)).toBe(principal);
    expect(costs).toHaveLength(1);
    pass(60_000);
    await verifier.authenticate(header);
    expect(costs).toHaveLength(2);
  });

  it('hashes a wrong password every time, so that no guess is cheaper', async () => {
    const { verifier, costs } = counting();
    for (let n = 0; n < 3; n += 1) await expect(verifier.authenticate(basic('alice:wrong'))).rejects.toEqual(REJECTED);
    expect(costs).toHaveLength(3);
  });

  it('hashes concurrent identical logins once', async () => {
    const { verifier, costs } = counting();
    await Promise.all(Array.from({ length: 50 }, () => verifier.authenticate(basic('alice:correct horse: battery'))));
    expect(costs).toHaveLength(1);
  });

  it('rejects the correct password of a user who was removed', async () => {
    const { verifier, replace } = counting();
    const header = basic('alice:correct horse: battery');
    await verifier.authenticate(header);
    replace(usersOf(ZOE));
    await expect(verifier.authenticate(header)).rejects.toEqual(REJECTED);
  });

  it('treats names as equal after Unicode normalization', async () => {
    const { verifier } = counting();
    await expect(verifier.authenticate(basic('Zoë:pässwörd'.normalize('NFD')))).resolves.toMatchObject({ id: 'Zoë' });
    await expect(verifier.authenticate(basic('Zoe:passwörd'))).rejects.toEqual(REJECTED);
  });

  it.each([
    ['no credentials', 'Basic'],
    ['an empty text', 'Basic '],
    ['no colon', basic('alice')],
    ['no name', basic(':correct horse: battery')],
    ['invalid Base64', 'Basic a-b_'],
    ['two credentials', `${basic('alice:a')}, ${basic('alice:a')}`],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
    ['a NUL character', basic('alice\0:correct horse: battery')],
    ['10 KB', basic(`alice:${'a'.repeat(10_000)}`)],
  ])('rejects %s in the header without hashing', async (_case, header) => {
    const { verifier, costs } = counting();
    await expect(verifier.authenticate(header)).rejects.toEqual(REJECTED);
    expect(costs).toEqual([]);
  });
});

describe('withBoundedConcurrency', () => {
  it('rejects calls beyond the running and queued limits, and runs all others', async () => {
    const release: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const slow: DeriveKey = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => release.push(resolve));
      running -= 1;
      return Buffer.alloc(32);
    };
    const derive = withBoundedConcurrency(slow, { maxConcurrent: 2, maxQueued: 3 });
    const cost = { N: 2, r: 8, p: 1 };
    const results = Promise.allSettled(Array.from({ length: 9 }, () => derive('x', SALT, cost)));
    for (let n = 0; n < 5; n += 1) {
      while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
      release.shift()?.();
    }
    const settled = await results;
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual(Array(4).fill('OVERLOADED'));
    expect(most).toBe(2);
  });
});

describe('user file', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-users-'));
    file = join(directory, 'users.json');
  });

  afterEach(() => rm(directory, { recursive: true }));

  const clock = { now: () => 0, monotonic: () => 0 };
  const start = () => createAuthentication(auth.parse({ providers: { basic: { file } } }), { clock, logger: silentLogger });

  it('authenticates its users and ignores the case of the scheme', async () => {
    await writeFile(file, usersOf(ALICE));
    await using authentication = start();
    const authorization = basic('alice:correct horse: battery');
    for (const header of [authorization, authorization.replace('Basic', 'bAsIc'), authorization.replace(' ', '  ')]) {
      await expect(authentication.authenticate({ authorization: header })).resolves.toMatchObject({ id: '1' });
    }
    await expect(authentication.authenticate({ authorization: 'Bearer a.b.c' })).rejects.toMatchObject({
      headers: { 'www-authenticate': expect.stringMatching(/^Bearer /) },
    });
  });

  it.each([
    ['{"users": [', 'the file is not valid JSON'],
    [usersOf({ name: 'a:b', password: ALICE.password }), 'users.0.name: expected at most 128 characters without colons'],
    [usersOf({ name: 'a', password: 'correct horse' }), 'the password of "a" must be a hash in the format $scrypt$'],
    [usersOf({ name: 'a', password: hashOf('x', 10) }), 'with ln from 14 to 17'],
    [usersOf(ALICE, { name: 'b', password: hashOf('x', 15) }), 'must be the same for all users'],
    [usersOf(ALICE, ALICE), 'two users have the name "alice"'],
    [usersOf(ZOE, { ...ZOE, name: 'Zoë'.normalize('NFD') }), 'two users have the name'],
  ])('reports the error in the file %s at startup without a password', async (text, message) => {
    await writeFile(file, text);
    expect(start).toThrow(message);
    expect(start).not.toThrow('correct horse');
  });
});
