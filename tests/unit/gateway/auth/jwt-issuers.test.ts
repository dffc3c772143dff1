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

describe('valid tokens', () => {
  it.each([
    ['just within the tolerance after its expiry', { exp: NOW / SECOND - 29 }, {}],
    ['just within the tolerance before its start', { nbf: NOW / SECOND + 29 }, {}],
    ['with the audience among others', { aud: ['x', AUDIENCE] }, {}],
    ['of type at+jwt', {}, { typ: 'application/AT+jwt' }],
    ['of type jwt', {}, { typ: 'jwt' }],
    ['with a key URL, which is ignored', {}, { jku: 'http://127.0.0.1:9/keys' }],
    ['without a key id when only one key fits', {}, { kid: undefined }],
  ])('accepts a token %s', async (_case, claims, header) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk, ec.jwk]) });
    await expect(gateway.by(await sign(rsa, { claims, header }))).resolves.toMatchObject({ id: '7', roles: new Set(['ADMIN']) });
  });

  it.each([
    [{ realm_access: { roles: ['A', 'B'] } }, ['A', 'B']],
    [{ 'https://example.org/roles': ['C'] }, ['C']],
    [{ realm_access: 'A' }, []],
    [{ realm_access: null }, []],
  ])('reads roles from the configured paths of the claims %j', async (claims, roles) => {
    const rolesClaims = ['realm_access.roles', 'https://example.org/roles', 'constructor.name', '__proto__.roles'];
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]), rolesClaims });
    await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ roles: new Set(roles) });
  });

  it('accepts tokens that are signed with a shared key from a file', async () => {
    const secretFile = join(directory, 'shared.key');
    const secret = 's'.repeat(32);
    await writeFile(secretFile, `${secret}\n`);
    await using gateway = start({ secretFile, algorithms: ['HS256'] });
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: '7', exp: NOW / SECOND + 60 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    await expect(gateway.by(token)).resolves.toMatchObject({ id: '7' });
  });

  it('rejects a known token after its key is removed from the file', async () => {
    const jwksFile = await keyFile([rsa.jwk, ec.jwk]);
    await using gateway = start({ jwksFile });
    const token = await sign(rsa);
    const first = await gateway.by(token);
    expect(await gateway.by(token)).toBe(first);
    await writeFile(jwksFile, '{"keys": [');
    await writeFile(jwksFile, JSON.stringify({ keys: [ec.jwk] }));
    await rejected(() => gateway.by(token));
    await expect(gateway.by(await sign(ec))).resolves.toMatchObject({ id: '7' });
  });
});

describe('keys from a URL', () => {
  it('returns AUTH_UNAVAILABLE until the URL returns keys', async () => {
    await using provider = await startFakeIdentityProvider(json({ error: 'down' }, 500));
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
    provider.respond(json({ keys: [rsa.jwk] }));
    await knowsKeys(gateway);
  });

  it('limits the wait of a request for an identity provider that does not respond', async () => {
    await using provider = await startFakeIdentityProvider(hang);
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
  });

  it.each([
    ['is down', json({}, 503)],
    ['returns no keys', json({ keys: [] })],
    ['returns an invalid key set', json('garbage')],
    ['returns keys above the size limit', json({ keys: [{ kty: 'RSA', n: 'x'.repeat(70_000) }] })],
    ['redirects', json({}, 302)],
  ])('accepts tokens of known keys when the provider %s for an hour', async (_case, respond) => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url, refreshIntervalMs: 1 });
    await knowsKeys(gateway);
    provider.respond(respond);
    for (let minute = 0; minute < 59; minute += 1) {
      gateway.pass(60 * SECOND);
      const claims = { sub: String(minute), exp: NOW / SECOND + 7_200 };
      await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ id: String(minute) });
    }
    gateway.pass(24 * 3_600 * SECOND);
    const late = { exp: NOW / SECOND + 100_000 };
    await expect(gateway.by(await sign(rsa, { claims: late }))).rejects.toEqual(UNAVAILABLE);
  });

  it('fetches a new key once for concurrent tokens and rejects none of them', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.requested;
    provider.respond(json({ keys: [rsa.jwk, ec.jwk] }));
    const tokens = await Promise.all(Array.from({ length: 100 }, (_, n) => sign(ec, { claims: { sub: `u${n}` } })));
    const principals = await Promise.all(tokens.map(gateway.by));
    expect(principals.map(({ id }) => id)).toEqual(tokens.map((_, n) => `u${n}`));
    expect(provider.requested - before).toBe(1);
  });

  it('fetches keys three times for 10,000 unknown key ids, then once every 30 seconds', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.requested;
    const [, payload] = (await sign(rsa)).split('.');
    const forge = (n: number) => gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`);
    for (let n = 0; n < 10_000; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.requested - before).toBe(3);
    gateway.pass(60 * SECOND);
    for (let n = 0; n < 100; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.requested - before).toBe(5);
  });

  it('counts failed fetches toward the limit for unknown key ids', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.requested;
    provider.respond(json({}, 500));
    const [, payload] = (await sign(rsa)).split('.');
    for (let n = 0; n < 1_000; n += 1) {
      await expect(gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`)).rejects.toEqual(UNAVAILABLE);
    }
    expect(provider.requested - before).toBe(3);
  });
});

describe('invalid configurations and keys', () => {
  const issuer = { issuer: ISSUER, audiences: [AUDIENCE] };
  const parse = (main: Record<string, unknown>) => () => auth.parse({ providers: { jwt: { main } } });

  it.each([
    ['no keys', issuer, 'set exactly one of'],
    ['two sources of keys', { ...issuer, jwksFile: 'a', jwksUrl: 'https://id.example/keys' }, 'set exactly one of'],
    ['the algorithm none', { ...issuer, jwksFile: 'a', algorithms: ['none'] }, 'expected one of RS256'],
    ['a shared key next to public keys', { ...issuer, jwksFile: 'a', algorithms: ['RS256', 'HS256'] }, 'require secretFile'],
    ['a public algorithm with a shared key', { ...issuer, secretFile: 'a' }, 'require secretFile'],
    ['no audience', { ...issuer, audiences: [], jwksFile: 'a' }, 'Too small'],
  ])('reports a configuration with %s', (_case, main, message) => {
    expect(parse(main)).toThrow(message);
  });

  it('reports the minimum length for a shared key that is too short', async () => {
    const secretFile = join(directory, 'short.key');
    await writeFile(secretFile, 's'.repeat(31));
    expect(() => start({ secretFile, algorithms: ['HS256'] })).toThrow('the key has 31 bytes, expected at least 32 bytes');
  });

  it('names the setting and the path of a missing file', () => {
    expect(() => start({ jwksFile: '/nowhere/keys.json' })).toThrow(
      'auth.providers.jwt.main.jwksFile: /nowhere/keys.json: the file does not exist',
    );
  });

  it('rejects a token that is signed with a weak key from a file', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const weak = { ...(await exportJWK(publicKey)), kid: 'weak', alg: 'RS256' };
    await using gateway = start({ jwksFile: await keyFile([weak]) });
    const { createSign } = await import('node:crypto');
    const input = `${encode({ alg: 'RS256', kid: 'weak' })}.${(await sign(rsa)).split('.')[1]}`;
    await expect(gateway.by(`${input}.${createSign('sha256').update(input).sign(privateKey, 'base64url')}`)).rejects.toEqual(INVALID_TOKEN);
  });
});

/** Waits until keys have arrived. On a busy machine this can take longer than the timeout of a request. */
async function knowsKeys({ by }: ReturnType<typeof start>): Promise<void> {
  for (;;) {
    const known = await by(await sign(rsa)).catch((error: unknown) => expect(error).toEqual(UNAVAILABLE));
    if (known !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until a changed file has been read. */
async function rejected(attempt: () => Promise<unknown>): Promise<void> {
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
