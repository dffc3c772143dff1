import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { errors, importJWK, type JWK, jwtVerify } from 'jose';
import { type IdentityKey, publicKeysOf } from '../../../../gateway/config/identity-key.ts';
import type { Principal } from '../../../../gateway/platform/principal.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner, type IdentitySignerOptions } from '../../../../gateway/subgraph-client/sign-identity.ts';
import { algorithmOf } from '../../../../gateway/subgraph-identity/signature-algorithm.ts';
import { responding, NEVER, REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

const SECRET = 'a-secret-that-is-long-enough-for-anyone';
const KEY = new TextEncoder().encode(SECRET);
const ALICE: Principal = {
  kind: 'user',
  id: '1',
  roles: new Set(['USER', 'ADMIN']),
  scopes: new Set(['orders:read']),
  claims: { email: 'a@b.c' },
};

function signerAt(clock: { now: number }, options: Partial<IdentitySignerOptions> = {}) {
  return createIdentitySigner({ key: { secret: SECRET }, clock: { now: () => clock.now, monotonic: () => clock.now }, ...options });
}

function split(header: string): { token: string; proof: string } {
  const at = header.lastIndexOf('.');
  return { token: header.slice(0, at), proof: header.slice(at + 1) };
}

function proofOf(subgraph: string, token: string, body: string): string {
  const key = createHmac('sha256', KEY).update(`proof:${subgraph}`).digest();
  return createHmac('sha256', key).update(`${token}.${body}`).digest('base64url');
}

describe('an identity token', () => {
  it('is not verified by another key', async () => {
    const token = signerAt({ now: Date.now() }).sign('accounts', ALICE, '{}');
    await expect(jwtVerify(token, new TextEncoder().encode('x'.repeat(32)))).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  });

  it('is invalid for another subgraph', async () => {
    const token = signerAt({ now: Date.now() }).sign('accounts', ALICE, '{}');
    await expect(jwtVerify(token, KEY, { audience: 'products' })).rejects.toThrow('unexpected "aud" claim value');
  });

  it('expires after 60 seconds', async () => {
    const token = signerAt({ now: Date.now() - 61_000 }).sign('accounts', ALICE, '{}');
    await expect(jwtVerify(token, KEY)).rejects.toThrow(errors.JWTExpired);
  });

  it('differs for principals that are easy to confuse', () => {
    const { sign } = signerAt({ now: 0 });
    const tokens = [
      { ...ALICE, id: '1","kind":"service' },
      { ...ALICE, roles: new Set(['USER,ADMIN']) },
      { ...ALICE, roles: new Set<string>(), scopes: new Set(['USER', 'ADMIN', 'orders:read']) },
      { ...ALICE, kind: 'service' as const },
      { ...ALICE, kind: 'anonymous' as const },
      { ...ALICE, id: '2' },
      ALICE,
    ].map((principal) => sign('accounts', principal, ''));
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('includes only the documented claims of a signed-in caller', async () => {
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const token = signerAt({ now }).sign('accounts', ALICE, '{}');
    const { payload, protectedHeader } = await jwtVerify(token, KEY, { issuer: 'gatefold', audience: 'accounts' });
    expect(protectedHeader).toEqual({ alg: 'HS256', kid: expect.stringMatching(/^[\w-]{16}$/), typ: 'JWT' });
    expect(payload).toEqual({
      iss: 'gatefold',
      aud: 'accounts',
      issuer: '',
      owner: true,
      sub: '1',
      kind: 'user',
      roles: ['USER', 'ADMIN'],
      scopes: ['orders:read'],
      iat: now / 1_000,
      exp: now / 1_000 + 60,
    });
  });

  it('has no subject for an anonymous caller, and the session in a separate claim', async () => {
    const { sign } = signerAt({ now: Date.now() });
    const { payload } = await jwtVerify(sign('accounts', ANONYMOUS, '{}'), KEY);
    expect(payload).toMatchObject({ kind: 'anonymous', owner: false, roles: [], scopes: [] });
    expect(Object.keys(payload)).not.toContain('sub');
    expect(Object.keys(payload)).not.toContain('session');
    const writer = (await jwtVerify(sign('accounts', { ...ANONYMOUS, id: 's1' }, '{}'), KEY)).payload;
    expect([writer.sub, writer['session']]).toEqual([undefined, 's1']);
  });

  it('is reused for the same caller and subgraph for 10 seconds', () => {
    const clock = { now: 1_000_000 };
    const { sign } = signerAt(clock);
    const first = sign('accounts', ALICE, 'a');
    clock.now += 9_999;
    expect(sign('accounts', { ...ALICE }, 'b')).toBe(first);
    clock.now += 1;
    expect(sign('accounts', ALICE, 'a')).not.toBe(first);
  });

  it('has the configured issuer, and the scheme Bearer only in the header authorization', async () => {
    const signer = signerAt({ now: Date.now() }, { header: 'authorization', issuer: 'https://gateway.example' });
    const value = signer.headerValue('accounts', ALICE, '{}');
    expect(value).toMatch(/^Bearer [^ ]+$/);
    expect((await jwtVerify(value.slice('Bearer '.length), KEY)).payload.iss).toBe('https://gateway.example');
    expect(signerAt({ now: 0 }).headerValue('accounts', ALICE, '{}')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it.each([
    ['EdDSA', () => generateKeyPairSync('ed25519')],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ])('is signed with %s by a key of its type, and verified by its published key', async (algorithm, generate) => {
    const { privateKey } = generate();
    expect(algorithmOf(privateKey)).toBe(algorithm);
    const key: IdentityKey = { privateKey, algorithm: algorithmOf(privateKey) ?? 'HS256', keyId: 'k1' };
    const [jwk] = (publicKeysOf(key)?.keys ?? []) as readonly JWK[];
    const token = signerAt({ now: Date.now() }, { key }).sign('accounts', ALICE, '{}');
    const { protectedHeader, payload } = await jwtVerify(token, await importJWK(jwk ?? {}), { algorithms: [algorithm] });
    expect([protectedHeader.alg, protectedHeader.kid, payload.sub]).toEqual([algorithm, 'k1', '1']);
    expect(Object.keys(jwk ?? {})).not.toContain('d');
  });
});

describe('a bound identity', () => {
  it('has a proof that differs for another body or another subgraph', () => {
    const { sign } = signerAt({ now: 0 }, { form: 'bound' });
    const { token, proof } = split(sign('accounts', ALICE, '{"query":"{ a }"}'));
    expect(proof).toBe(proofOf('accounts', token, '{"query":"{ a }"}'));
    expect(proof).not.toBe(proofOf('accounts', token, '{"query":"{ b }"}'));
    expect(proof).not.toBe(proofOf('products', token, '{"query":"{ a }"}'));
  });

  it('has a token that is marked as incomplete and reused for other bodies', async () => {
    const { sign } = signerAt({ now: Date.now() }, { form: 'bound' });
    const first = split(sign('accounts', ALICE, 'a'));
    const second = split(sign('accounts', ALICE, 'b'));
    expect([second.token === first.token, second.proof === first.proof]).toEqual([true, false]);
    expect((await jwtVerify(first.token, KEY)).protectedHeader.typ).toBe('bound+jwt');
  });

  it('is sent in a header that is valid for the body that the subgraph receives', async () => {
    const seen: { header: string; body: string }[] = [];
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        seen.push({ header: String(request.headers['gatefold-identity']), body });
        responding('{"data":{}}')(request, response, body);
      },
      { identitySecret: SECRET, identityForm: 'bound' },
    );
    await subgraph.request({ ...REQUEST, body: '{"query":"{ me { name } } # é"}' }, NEVER);
    const [{ header, body } = { header: '', body: '' }] = seen;
    const { token, proof } = split(header);
    expect(proof).toBe(proofOf('accounts', token, body));
  });
});

describe('the identity header', () => {
  it.each([
    [[], true],
    [['gatefold-identity'], false],
  ])('with the removed headers %j, is sent: %s', async (remove, isSent) => {
    const seen: unknown[] = [];
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        seen.push(request.headers['gatefold-identity']);
        responding('{"data":{}}')(request, response, body);
      },
      { identitySecret: SECRET, settings: { headers: { remove } } },
    );
    await subgraph.request(REQUEST, NEVER);
    expect(seen).toEqual([isSent ? expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) : undefined]);
  });
});
