import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { errors, jwtVerify } from 'jose';
import type { Principal } from '../../../../gateway/platform/principal.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../gateway/subgraph-client/sign-identity.ts';
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

function signerAt(clock: { now: number }) {
  return createIdentitySigner({ key: { secret: SECRET }, clock: { now: () => clock.now, monotonic: () => clock.now } });
}

function split(header: string): { token: string; proof: string } {
  const at = header.lastIndexOf('.');
  return { token: header.slice(0, at), proof: header.slice(at + 1) };
}

function proofOf(subgraph: string, token: string, body: string): string {
  const key = createHmac('sha256', KEY).update(`proof:${subgraph}`).digest();
  return createHmac('sha256', key).update(`${token}.${body}`).digest('base64url');
}

describe('createIdentitySigner', () => {
  it('creates a token that another key does not verify', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, new TextEncoder().encode('x'.repeat(32)))).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  });

  it('creates a token that is invalid for another subgraph', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, KEY, { audience: 'products' })).rejects.toThrow('unexpected "aud" claim value');
  });

  it('creates a token that expires after 60 seconds', async () => {
    const { token } = split(signerAt({ now: Date.now() - 61_000 })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, KEY)).rejects.toThrow(errors.JWTExpired);
  });

  it('creates a proof that differs for another body or another subgraph', () => {
    const { token, proof } = split(signerAt({ now: 0 })('accounts', ALICE, '{"query":"{ a }"}'));
    expect(proof).toBe(proofOf('accounts', token, '{"query":"{ a }"}'));
    expect(proof).not.toBe(proofOf('accounts', token, '{"query":"{ b }"}'));
    expect(proof).not.toBe(proofOf('products', token, '{"query":"{ a }"}'));
  });

  it('creates different tokens for principals that are easy to confuse', () => {
    const sign = signerAt({ now: 0 });
    const tokens = [
      { ...ALICE, id: '1","kind":"service' },
      { ...ALICE, roles: new Set(['USER,ADMIN']) },
      { ...ALICE, roles: new Set<string>(), scopes: new Set(['USER', 'ADMIN', 'orders:read']) },
      { ...ALICE, kind: 'service' as const },
      { ...ALICE, id: '2' },
      ALICE,
    ].map((principal) => split(sign('accounts', principal, '')).token);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('includes only the claims of a signed-in caller', async () => {
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const { token } = split(signerAt({ now })('accounts', ALICE, '{}'));
    const { payload, protectedHeader } = await jwtVerify(token, KEY, { issuer: 'gatefold', audience: 'accounts' });
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
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

  it('creates a token for an anonymous caller', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ANONYMOUS, '{}'));
    expect((await jwtVerify(token, KEY)).payload).toMatchObject({ sub: '', kind: 'anonymous', roles: [], scopes: [] });
  });

  it('reuses the token of the same caller and subgraph for 10 seconds', () => {
    const clock = { now: 1_000_000 };
    const sign = signerAt(clock);
    const first = split(sign('accounts', ALICE, 'a'));
    clock.now += 9_999;
    const second = split(sign('accounts', { ...ALICE }, 'b'));
    expect(second.token).toBe(first.token);
    expect(second.proof).not.toBe(first.proof);
    clock.now += 1;
    expect(split(sign('accounts', ALICE, 'a')).token).not.toBe(first.token);
  });

  it('sends a header that is valid for the body that the subgraph receives', async () => {
    const seen: { header: string; body: string }[] = [];
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        seen.push({ header: String(request.headers['gatefold-identity']), body });
        responding('{"data":{}}')(request, response, body);
      },
      { identitySecret: SECRET },
    );
    await subgraph.request({ ...REQUEST, body: '{"query":"{ me { name } } # é"}' }, NEVER);
    const [{ header, body } = { header: '', body: '' }] = seen;
    const { token, proof } = split(header);
    expect(proof).toBe(proofOf('accounts', token, body));
  });
});
