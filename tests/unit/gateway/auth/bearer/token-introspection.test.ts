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

describe('tokens that an authorization server is asked about', () => {
  it.each([
    ['says that the token is not active', { active: false }],
    ['says no more than that', { active: false, sub: '7', exp: NOW }],
    ['names nobody', { ...GOOD, sub: undefined }],
    ['names an empty subject', { ...GOOD, sub: '' }],
    ['names a token for somebody else', { ...GOOD, aud: ['other'] }],
    ['names a token for nobody', { ...GOOD, aud: undefined }],
    ['calls a token active that has ended', { ...GOOD, exp: NOW / SECOND - 31 }],
    ['names more roles than fit into a header', { ...GOOD, roles: Array.from({ length: 900 }, (_, n) => `R${n}`) }],
  ])('given a server that %s, when the token comes, then it is refused', async (_case, answer) => {
    provider.answer(json(answer));
    await using gateway = start({ audiences: ['graph'] });
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
  });

  it.each([
    ['is down', json({}, 503)],
    ['refuses our own credentials', json({ error: 'invalid_client' }, 401)],
    ['redirects', json({}, 302)],
    ['gives garbage', json('garbage')],
    ['gives null', json(null)],
    ['says neither yes nor no', json({ sub: '7' })],
    ['says yes as a text', json({ ...GOOD, active: 'true' })],
    ['answers without end', json({ ...GOOD, padding: 'x'.repeat(70_000) })],
  ])('given a server that %s, when a token comes, then nobody can tell, and later it is asked again', async (_case, answer) => {
    provider.answer(answer);
    await using gateway = start();
    await expect(gateway.by('opaque')).rejects.toEqual(UNAVAILABLE);
    provider.answer(json(GOOD));
    await expect(gateway.by('opaque')).resolves.toMatchObject({ id: '7' });
  });

  it('given a server that hangs, when a token comes, then nobody can tell', async () => {
    provider.answer(hang);
    await using gateway = start({ requestTimeoutMs: 100 });
    await expect(gateway.by('opaque')).rejects.toEqual(UNAVAILABLE);
  });

  it('given a token, when it is asked about, then the question is that of the standard', async () => {
    let question: unknown;
    provider.answer((request, response) => {
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

  it('given a token that is active, when it comes again, then it is asked about after half a minute, and at its end', async () => {
    await using gateway = start();
    await Promise.all(Array.from({ length: 20 }, () => gateway.by('opaque')));
    gateway.pass(29 * SECOND);
    await gateway.by('opaque');
    expect(provider.asked).toBe(1);
    provider.answer(json({ ...GOOD, exp: NOW / SECOND + 40 }));
    gateway.pass(1 * SECOND);
    await gateway.by('opaque');
    expect(provider.asked).toBe(2);
    gateway.pass(10 * SECOND);
    provider.answer(json({ active: false }));
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
  });

  it('given a token that is not active, when it comes again and again, then it is asked about every five seconds', async () => {
    provider.answer(json({ active: false }));
    await using gateway = start();
    for (let n = 0; n < 10; n += 1) await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked).toBe(1);
    gateway.pass(5 * SECOND);
    await expect(gateway.by('opaque')).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked).toBe(2);
  });

  it('given a token without an end, when it is active, then it is good as long as the answer is kept', async () => {
    provider.answer(json({ ...GOOD, exp: undefined }));
    await using gateway = start();
    expect((await gateway.by('opaque')).expiresAt).toBeUndefined();
  });

  it('given more tokens at once than may be asked about, when they come, then the rest is told to come back', async () => {
    provider.answer(hang);
    await using gateway = start({ maxConcurrent: 3, requestTimeoutMs: 300 });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => gateway.by(`t${n}`)));
    expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : ''))).toEqual(Array(100).fill('AUTH_UNAVAILABLE'));
    expect(provider.asked).toBeLessThanOrEqual(3);
  });

  it('given a JWT of an issuer that is not configured, when it comes, then the server decides', async () => {
    await using gateway = start();
    await expect(gateway.by(new UnsecuredJWT({ iss: 'x' }).encode().replace(/\.$/, '.AA'))).resolves.toMatchObject({ id: '7' });
  });
});
