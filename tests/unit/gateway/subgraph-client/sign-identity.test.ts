import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { errors, jwtVerify } from 'jose';
import type { Principal } from '../../../../gateway/platform/principal.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../gateway/subgraph-client/sign-identity.ts';
import { answering, NEVER, REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

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
  it('given another key, when the token is verified, then it does not hold', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, new TextEncoder().encode('x'.repeat(32)))).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  });

  it('given a token, when verified for another subgraph, then it does not hold', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, KEY, { audience: 'products' })).rejects.toThrow('unexpected "aud" claim value');
  });

  it('given a token of 61 seconds ago, when verified, then it has expired', async () => {
    const { token } = split(signerAt({ now: Date.now() - 61_000 })('accounts', ALICE, '{}'));
    await expect(jwtVerify(token, KEY)).rejects.toThrow(errors.JWTExpired);
  });

  it('given one body, when the proof is tried with another, or for another subgraph, then it differs', () => {
    const { token, proof } = split(signerAt({ now: 0 })('accounts', ALICE, '{"query":"{ a }"}'));
    expect(proof).toBe(proofOf('accounts', token, '{"query":"{ a }"}'));
    expect(proof).not.toBe(proofOf('accounts', token, '{"query":"{ b }"}'));
    expect(proof).not.toBe(proofOf('products', token, '{"query":"{ a }"}'));
  });

  it('given principals whose parts could be mistaken for each other, when signing, then each gets a token of its own', () => {
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

  it('given a signed-in caller, when verified, then the claims are those of the caller and no more', async () => {
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

  it('given an anonymous caller, when verified, then the token says so', async () => {
    const { token } = split(signerAt({ now: Date.now() })('accounts', ANONYMOUS, '{}'));
    expect((await jwtVerify(token, KEY)).payload).toMatchObject({ sub: '', kind: 'anonymous', roles: [], scopes: [] });
  });

  it('given the same caller and subgraph, when signing within 10 seconds, then the token is the same, and then another', () => {
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

  it('given a secret, when a subgraph is asked, then the header holds for the body that arrives', async () => {
    const seen: { header: string; body: string }[] = [];
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        seen.push({ header: String(request.headers['gatefold-identity']), body });
        answering('{"data":{}}')(request, response, body);
      },
      { identitySecret: SECRET },
    );
    await subgraph.ask({ ...REQUEST, body: '{"query":"{ me { name } } # é"}' }, NEVER);
    const [{ header, body } = { header: '', body: '' }] = seen;
    const { token, proof } = split(header);
    expect(proof).toBe(proofOf('accounts', token, body));
  });
});
