import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { createAuthentication } from '../../../../../gateway/auth/authenticator.ts';
import { auth } from '../../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { type FakeIdentityProvider, hang, json, startFakeIdentityProvider } from '../../../../support/identity/fake-identity-provider.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const GOOD = { active: true, sub: '7', scope: 'orders:read', roles: ['ADMIN'], aud: 'graph', exp: NOW / SECOND + 3_600 };

const INVALID_TOKEN = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  headers: { 'www-authenticate': 'Bearer realm="gatefold", error="invalid_token"' },
});
const UNAVAILABLE = expect.objectContaining({ code: 'AUTH_UNAVAILABLE', status: 503 });

let directory: string;
let provider: FakeIdentityProvider;
let clientSecretFile: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-introspection-'));
  clientSecretFile = join(directory, 'client.secret');
  await writeFile(clientSecretFile, 'pass word+\n');
  provider = await startFakeIdentityProvider(json(GOOD));
});

afterEach(async () => {
  await provider[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

function start(settings: Record<string, unknown> = {}) {
  let passed = 0;
  const clock = { now: () => NOW + passed, monotonic: () => passed };
  const introspection = {
    url: `${provider.url}/introspect`,
    clientId: 'gate:fold',
    clientSecretFile,
    requestTimeoutMs: 60_000,
    ...settings,
  };
  const { authenticate, ...rest } = createAuthentication(auth.parse({ providers: { introspection } }), { clock, logger: silentLogger });
  const by = (token: string) => authenticate({ authorization: `Bearer ${token}` });
  return { ...rest, by, pass: (ms: number) => void (passed += ms) };
}

describe('token introspection', () => {
  it.each([
    ['reports an inactive token', { active: false }],
    ['reports an inactive token with other fields', { active: false, sub: '7', exp: NOW }],
    ['returns no subject', { ...GOOD, sub: undefined }],
    ['returns an empty subject', { ...GOOD, sub: '' }],
    ['returns another audience', { ...GOOD, aud: ['other'] }],
    ['returns no audience', { ...GOOD, aud: undefined }],
    ['reports an expired token as active', { ...GOOD, exp: NOW / SECOND - 31 }],
    ['returns more roles than fit into a header', { ...GOOD, roles: Array.from({ length: 900 }, (_, n) => `R${n}`) }],
  ])('rejects the token when the server %s', async (_case, response) => {
    provider.respond(json(response));
    await using gateway = start({ audiences: ['graph'] });
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
  });

  it.each([
    ['is down', json({}, 503)],
    ['rejects the credentials of the gateway', json({ error: 'invalid_client' }, 401)],
    ['redirects', json({}, 302)],
    ['returns invalid JSON values', json('garbage')],
    ['returns null', json(null)],
    ['returns no `active` field', json({ sub: '7' })],
    ['returns `active` as a string', json({ ...GOOD, active: 'true' })],
    ['returns a response above the size limit', json({ ...GOOD, padding: 'x'.repeat(70_000) })],
  ])('returns AUTH_UNAVAILABLE when the server %s, and queries it again later', async (_case, respond) => {
    provider.respond(respond);
    await using gateway = start();
    await expect(gateway.by('opaque')).rejects.toEqual(UNAVAILABLE);
    provider.respond(json(GOOD));
    await expect(gateway.by('opaque')).resolves.toMatchObject({ id: '7' });
  });

  it('returns AUTH_UNAVAILABLE when the server does not respond in time', async () => {
    provider.respond(hang);
    await using gateway = start({ requestTimeoutMs: 100 });
    await expect(gateway.by('opaque')).rejects.toEqual(UNAVAILABLE);
  });

  it('sends the request that RFC 7662 defines', async () => {
    let question: unknown;
    provider.respond((request, response) => {
      const { method, url, headers } = request;
      void text(request).then((body) => {
        question = { method, url, type: headers['content-type'], authorization: headers.authorization, body };
        json(GOOD)(request, response);
      });
    });
    await using gateway = start();
    await expect(gateway.by('a+b/c=')).resolves.toMatchObject({
      kind: 'user',
      id: '7',
      roles: new Set(['ADMIN']),
      scopes: new Set(['orders:read']),
      expiresAt: GOOD.exp * SECOND,
    });
    expect(question).toEqual({
      method: 'POST',
      url: '/introspect',
      type: 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from('gate%3Afold:pass+word%2B').toString('base64')}`,
      body: 'token=a%2Bb%2Fc%3D&token_type_hint=access_token',
    });
  });

  it('queries an active token again after 30 seconds, and at its expiry', async () => {
    await using gateway = start();
    await Promise.all(Array.from({ length: 20 }, () => gateway.by('opaque')));
    gateway.pass(29 * SECOND);
    await gateway.by('opaque');
    expect(provider.requested).toBe(1);
    provider.respond(json({ ...GOOD, exp: NOW / SECOND + 40 }));
    gateway.pass(1 * SECOND);
    await gateway.by('opaque');
    expect(provider.requested).toBe(2);
    gateway.pass(10 * SECOND);
    provider.respond(json({ active: false }));
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
  });

  it('queries an inactive token at most every five seconds', async () => {
    provider.respond(json({ active: false }));
    await using gateway = start();
    for (let n = 0; n < 10; n += 1) await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
    expect(provider.requested).toBe(1);
    gateway.pass(5 * SECOND);
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
    expect(provider.requested).toBe(2);
  });

  it('accepts an active token without an expiry', async () => {
    provider.respond(json({ ...GOOD, exp: undefined }));
    await using gateway = start();
    expect((await gateway.by('opaque')).expiresAt).toBeUndefined();
  });

  it('returns AUTH_UNAVAILABLE for tokens beyond the concurrency limit', async () => {
    provider.respond(hang);
    await using gateway = start({ maxConcurrent: 3, requestTimeoutMs: 300 });
    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => gateway.by(`t${n}`)));
    expect(results.map((one) => (one.status === 'rejected' ? one.reason.code : ''))).toEqual(Array(100).fill('AUTH_UNAVAILABLE'));
    expect(provider.requested).toBeLessThanOrEqual(3);
  });

  it('queries the server for a JWT of an issuer that is not configured', async () => {
    await using gateway = start();
    await expect(gateway.by(new UnsecuredJWT({ iss: 'x' }).encode().replace(/\.$/, '.AA'))).resolves.toMatchObject({ id: '7' });
  });
});
