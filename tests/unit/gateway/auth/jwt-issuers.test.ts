import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exportJWK, SignJWT } from 'jose';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { hang, json, startFakeIdentityProvider } from '../../../support/identity/fake-identity-provider.ts';
import {
  AUDIENCE,
  INVALID_TOKEN,
  ISSUER,
  NOW,
  SECOND,
  UNAVAILABLE,
  directory,
  ec,
  encode,
  keyFile,
  rsa,
  sign,
  start,
  useKeyDirectory,
} from './signed-tokens.ts';

useKeyDirectory();

describe('good tokens', () => {
  it.each([
    ['at the edge of its end', { exp: NOW / SECOND - 29 }, {}],
    ['at the edge of its beginning', { nbf: NOW / SECOND + 29 }, {}],
    ['with our name among others', { aud: ['x', AUDIENCE] }, {}],
    ['of type at+jwt', {}, { typ: 'application/AT+jwt' }],
    ['of type jwt', {}, { typ: 'jwt' }],
    ['with a key and an address that are of no use', {}, { jku: 'http://127.0.0.1:9/keys' }],
    ['without an id of its key, where one key alone fits', {}, { kid: undefined }],
  ])('given a token %s, when it comes, then it is good', async (_case, claims, header) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk, ec.jwk]) });
    await expect(gateway.by(await sign(rsa, { claims, header }))).resolves.toMatchObject({ id: '7', roles: new Set(['ADMIN']) });
  });

  it.each([
    [{ realm_access: { roles: ['A', 'B'] } }, ['A', 'B']],
    [{ 'https://example.org/roles': ['C'] }, ['C']],
    [{ realm_access: 'A' }, []],
    [{ realm_access: null }, []],
  ])('given the claims %j, when roles are read where the configuration says, then they are those', async (claims, roles) => {
    const rolesClaims = ['realm_access.roles', 'https://example.org/roles', 'constructor.name', '__proto__.roles'];
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]), rolesClaims });
    await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ roles: new Set(roles) });
  });

  it('given a shared key in a file, when tokens of it come, then they are good', async () => {
    const secretFile = join(directory, 'shared.key');
    const secret = 's'.repeat(32);
    await writeFile(secretFile, `${secret}\n`);
    await using gateway = start({ secretFile, algorithms: ['HS256'] });
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: '7', exp: NOW / SECOND + 60 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    await expect(gateway.by(token)).resolves.toMatchObject({ id: '7' });
  });

  it('given a key that leaves the file, when its token comes again, then it is refused though it was good before', async () => {
    const jwksFile = await keyFile([rsa.jwk, ec.jwk]);
    await using gateway = start({ jwksFile });
    const token = await sign(rsa);
    const first = await gateway.by(token);
    expect(await gateway.by(token)).toBe(first);
    await writeFile(jwksFile, '{"keys": [');
    await writeFile(jwksFile, JSON.stringify({ keys: [ec.jwk] }));
    await refused(() => gateway.by(token));
    await expect(gateway.by(await sign(ec))).resolves.toMatchObject({ id: '7' });
  });
});

describe('keys at an address', () => {
  it('given an address that gives no keys, when a token comes, then nobody can tell, and keys that arrive later count', async () => {
    await using provider = await startFakeIdentityProvider(json({ error: 'down' }, 500));
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
    provider.answer(json({ keys: [rsa.jwk] }));
    await knowsKeys(gateway);
  });

  it('given an identity provider that hangs, when a token comes, then it is not waited for longer than requests can bear', async () => {
    await using provider = await startFakeIdentityProvider(hang);
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
  });

  it.each([
    ['is down', json({}, 503)],
    ['gives no key', json({ keys: [] })],
    ['gives garbage', json('garbage')],
    ['gives keys without end', json({ keys: [{ kty: 'RSA', n: 'x'.repeat(70_000) }] })],
    ['redirects', json({}, 302)],
  ])('given an identity provider that %s for an hour, when tokens of known keys come, then all are good', async (_case, answer) => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url, refreshIntervalMs: 1 });
    await knowsKeys(gateway);
    provider.answer(answer);
    for (let minute = 0; minute < 59; minute += 1) {
      gateway.pass(60 * SECOND);
      const claims = { sub: String(minute), exp: NOW / SECOND + 7_200 };
      await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ id: String(minute) });
    }
    gateway.pass(24 * 3_600 * SECOND);
    const late = { exp: NOW / SECOND + 100_000 };
    await expect(gateway.by(await sign(rsa, { claims: late }))).rejects.toEqual(UNAVAILABLE);
  });

  it('given a key that is new, when its tokens come all at once, then one look finds it, and none is refused', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    provider.answer(json({ keys: [rsa.jwk, ec.jwk] }));
    const tokens = await Promise.all(Array.from({ length: 100 }, (_, n) => sign(ec, { claims: { sub: `u${n}` } })));
    const principals = await Promise.all(tokens.map(gateway.by));
    expect(principals.map(({ id }) => id)).toEqual(tokens.map((_, n) => `u${n}`));
    expect(provider.asked - before).toBe(1);
  });

  it('given 10,000 ids of keys that nobody has, when their tokens come, then three questions are asked, and one each half minute', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    const [, payload] = (await sign(rsa)).split('.');
    const forge = (n: number) => gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`);
    for (let n = 0; n < 10_000; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked - before).toBe(3);
    gateway.pass(60 * SECOND);
    for (let n = 0; n < 100; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked - before).toBe(5);
  });

  it('given an identity provider that fails, when 1,000 unknown ids come, then failures count as questions', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    provider.answer(json({}, 500));
    const [, payload] = (await sign(rsa)).split('.');
    for (let n = 0; n < 1_000; n += 1) {
      await expect(gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`)).rejects.toEqual(UNAVAILABLE);
    }
    expect(provider.asked - before).toBe(3);
  });
});

describe('configurations that are not started with', () => {
  const issuer = { issuer: ISSUER, audiences: [AUDIENCE] };
  const parse = (main: Record<string, unknown>) => () => auth.parse({ providers: { jwt: { main } } });

  it.each([
    ['no keys', issuer, 'set exactly one of'],
    ['two sources of keys', { ...issuer, jwksFile: 'a', jwksUrl: 'https://id.example/keys' }, 'set exactly one of'],
    ['the algorithm none', { ...issuer, jwksFile: 'a', algorithms: ['none'] }, 'expected one of RS256'],
    ['a shared key beside public ones', { ...issuer, jwksFile: 'a', algorithms: ['RS256', 'HS256'] }, 'require secretFile'],
    ['a public algorithm with a shared key', { ...issuer, secretFile: 'a' }, 'require secretFile'],
    ['no audience', { ...issuer, audiences: [], jwksFile: 'a' }, 'Too small'],
  ])('given %s, when it is read, then the mistake is told', (_case, main, message) => {
    expect(parse(main)).toThrow(message);
  });

  it('given a shared key that is too short, when it starts, then it says how long it must be', async () => {
    const secretFile = join(directory, 'short.key');
    await writeFile(secretFile, 's'.repeat(31));
    expect(() => start({ secretFile, algorithms: ['HS256'] })).toThrow('the key has 31 bytes, expected at least 32 bytes');
  });

  it('given a file that is not there, when it starts, then setting and file are named', () => {
    expect(() => start({ jwksFile: '/nowhere/keys.json' })).toThrow(
      'auth.providers.jwt.main.jwksFile: /nowhere/keys.json: the file does not exist',
    );
  });

  it('given a file with a weak key, when a token of it comes, then it is refused', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const weak = { ...(await exportJWK(publicKey)), kid: 'weak', alg: 'RS256' };
    await using gateway = start({ jwksFile: await keyFile([weak]) });
    const { createSign } = await import('node:crypto');
    const input = `${encode({ alg: 'RS256', kid: 'weak' })}.${(await sign(rsa)).split('.')[1]}`;
    await expect(gateway.by(`${input}.${createSign('sha256').update(input).sign(privateKey, 'base64url')}`)).rejects.toEqual(INVALID_TOKEN);
  });
});

/** Until keys have arrived: on a busy machine that may take longer than requests wait. */
async function knowsKeys({ by }: ReturnType<typeof start>): Promise<void> {
  for (;;) {
    const known = await by(await sign(rsa)).catch((error: unknown) => expect(error).toEqual(UNAVAILABLE));
    if (known !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Until what was changed in a file has been seen. */
async function refused(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await attempt();
    } catch (error) {
      expect(error).toEqual(INVALID_TOKEN);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
