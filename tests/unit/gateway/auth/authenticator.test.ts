import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { type Authenticator, createAuthentication } from '../../../../gateway/auth/authenticator.ts';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../gateway/subgraph-client/sign-identity.ts';

const KEY = 'a key for the tests of the authenticator';
const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;

interface TokenOptions {
  readonly claims?: Record<string, unknown>;
  readonly key?: string;
  readonly alg?: string;
  readonly without?: string;
}

function sign({ claims = {}, key = KEY, alg = 'HS256', without }: TokenOptions = {}): Promise<string> {
  const all: Record<string, unknown> = {
    iss: 'gatefold-dev',
    aud: 'gatefold',
    sub: '7',
    exp: NOW / SECOND + 60,
    roles: ['ADMIN'],
    scope: 'read write',
    ...claims,
  };
  const stored = Object.fromEntries(Object.entries(all).filter(([name]) => name !== without));
  return new SignJWT(stored).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
}

describe('createAuthentication with a development key', () => {
  let now: number;
  let authenticate: Authenticator;
  const clock = { now: () => now, monotonic: () => now };

  beforeEach(() => {
    now = NOW;
    ({ authenticate } = createAuthentication(auth.parse({ developmentKey: KEY }), { clock, logger: silentLogger }));
  });

  const rejected = (challenge: RegExp) =>
    expect.objectContaining({ code: 'UNAUTHENTICATED', status: 401, headers: { 'www-authenticate': expect.stringMatching(challenge) } });
  const invalid = rejected(/^Bearer realm="gatefold", error="invalid_token"$/);
  const unreadable = rejected(/^Bearer realm="gatefold"$/);

  it.each([
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a bare token', 'abc.def.ghi'],
    ['two tokens', 'Bearer abc def'],
    ['two headers, joined', 'Bearer abc, Bearer def'],
    ['characters that are invalid in a token', 'Bearer a"b'],
  ])('challenges the caller for %s', async (_case, authorization) => {
    await expect(authenticate({ authorization })).rejects.toEqual(unreadable);
  });

  it.each<[string, TokenOptions]>([
    ['another key', { key: 'a key that nobody here has ever seen' }],
    ['another algorithm of the same family', { alg: 'HS512', key: KEY.repeat(2) }],
    ['another issuer', { claims: { iss: 'gatefold' } }],
    ['no issuer', { without: 'iss' }],
    ['another audience', { claims: { aud: 'users' } }],
    ['no audience', { without: 'aud' }],
    ['no expiry', { without: 'exp' }],
    ['no subject', { without: 'sub' }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject that is not a string', { claims: { sub: 7 } }],
    ['more roles than fit into a header', { claims: { roles: Array.from({ length: 400 }, (_, index) => `ROLE_${index}`) } }],
    ['a subject longer than a header', { claims: { sub: 'é'.repeat(2_100) } }],
    ['an expiry past the tolerance', { claims: { exp: NOW / SECOND - 31 } }],
    ['a start past the tolerance', { claims: { nbf: NOW / SECOND + 31 } }],
  ])('rejects a token with %s', async (_case, options) => {
    await expect(authenticate({ authorization: `Bearer ${await sign(options)}` })).rejects.toEqual(invalid);
  });

  it.each([['unsigned'], ['with its signature changed'], ['that is not a JWT']])('rejects a token %s', async (kind) => {
    const claims = { iss: 'gatefold-dev', aud: 'gatefold', sub: '7', exp: NOW / SECOND + 60 };
    const signed = await sign();
    const token = kind === 'unsigned' ? new UnsecuredJWT(claims).encode() : kind.includes('changed') ? `${signed.slice(0, -4)}AAAA` : 'abc';
    await expect(authenticate({ authorization: `Bearer ${token}` })).rejects.toEqual(invalid);
  });

  it('rejects a token when no development key is configured', async () => {
    const { authenticate: keyless } = createAuthentication(auth.parse({}), { clock, logger: silentLogger });
    await expect(keyless({ authorization: `Bearer ${await sign()}` })).rejects.toEqual(invalid);
    await expect(keyless({})).resolves.toBe(ANONYMOUS);
  });

  it('treats a caller without credentials as anonymous and ignores cookies', async () => {
    await expect(authenticate({ cookie: `token=${await sign()}` })).resolves.toBe(ANONYMOUS);
  });

  it('reads subject, roles, scopes and expiry from a valid token', async () => {
    await expect(authenticate({ authorization: `bearer  ${await sign()}` })).resolves.toMatchObject({
      kind: 'user',
      id: '7',
      roles: new Set(['ADMIN']),
      scopes: new Set(['read', 'write']),
      expiresAt: NOW + 60 * SECOND,
      claims: { sub: '7' },
    });
  });

  it.each([
    [{ roles: 'USER' }, ['USER'], ['read', 'write']],
    [{ roles: [1, null, 'USER', { a: 1 }] }, ['USER'], ['read', 'write']],
    [{ roles: { ADMIN: true } }, [], ['read', 'write']],
    [{ scope: undefined, scp: ['orders', 7] }, ['ADMIN'], ['orders']],
    [{ scope: '' }, ['ADMIN'], []],
  ])('ignores roles and scopes that are not names, in the claims %j', async (claims, roles, scopes) => {
    await expect(authenticate({ authorization: `Bearer ${await sign({ claims })}` })).resolves.toMatchObject({
      roles: new Set(roles),
      scopes: new Set(scopes),
    });
  });

  it('fits the maximum number of roles and scopes into an identity header below 8 KiB', async () => {
    const names = Array.from({ length: 220 }, (_, index) => `"\\${index}_OF_MANY`);
    const principal = await authenticate({
      authorization: `Bearer ${await sign({ claims: { roles: names.slice(110), scope: names.slice(0, 110).join(' ') } })}`,
    });
    expect(principal.roles.size + principal.scopes.size).toBe(220);
    const header = createIdentitySigner({ key: { secret: KEY }, form: 'bound', clock }).sign(
      'a-subgraph-with-a-long-name',
      principal,
      '{}',
    );
    expect(header.length).toBeGreaterThan(4_096);
    expect(header.length).toBeLessThan(8_192);
  });

  it('omits claims that are named like inherited object properties', async () => {
    const { claims } = await authenticate({
      authorization: `Bearer ${await sign({ claims: JSON.parse('{"__proto__":{"admin":true},"constructor":1}') })}`,
    });
    expect(Object.keys(claims)).not.toContain('__proto__');
    expect(Object.keys(claims)).not.toContain('constructor');
    expect(claims['admin']).toBeUndefined();
  });

  it('does not verify a known token again until it expires', async () => {
    const authorization = `Bearer ${await sign()}`;
    const first = await authenticate({ authorization });
    expect(await authenticate({ authorization })).toBe(first);
    now = NOW + 60 * SECOND;
    expect(await authenticate({ authorization })).not.toBe(first); // The clock tolerance still accepts the token, but it is verified again.
    now = NOW + 90 * SECOND;
    await expect(authenticate({ authorization })).rejects.toEqual(invalid);
  });
});
