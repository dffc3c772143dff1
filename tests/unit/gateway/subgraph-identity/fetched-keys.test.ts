import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type IdentityKey, publicKeysOf } from '../../../../gateway/config/identity-key.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../gateway/subgraph-client/sign-identity.ts';
import { createIdentityVerifier, type IdentityRejected } from '../../../../gateway/subgraph-identity/index.ts';

type PrivateKey = Exclude<IdentityKey, { readonly secret: string }>;

function newKey(keyId: string): PrivateKey {
  return { privateKey: generateKeyPairSync('ed25519').privateKey, algorithm: 'EdDSA', keyId };
}

const setOf = (...keys: readonly PrivateKey[]): string =>
  JSON.stringify({ keys: keys.map((key) => Object.assign({}, publicKeysOf(key)?.keys[0], { kid: key.keyId })) });

/** A verifier with a clock and a gateway that the test controls. */
function setUp(respond: () => Response | Promise<Response>) {
  const state = { now: Date.UTC(2030, 0, 1), fetches: 0, respond };
  const clock = { now: () => state.now, monotonic: () => state.now };
  const verify = createIdentityVerifier({
    jwksUrl: 'http://gateway.internal:4001/identity/keys',
    audience: 'films',
    clock,
    fetch: async () => {
      state.fetches += 1;
      return state.respond();
    },
  });
  const codeFor = (key: PrivateKey) =>
    verify(createIdentitySigner({ key, clock }).sign('films', { ...ANONYMOUS, kind: 'user', id: '7' }, '')).then(
      ({ subject }) => subject,
      ({ code, status }: IdentityRejected) => `${code} ${status}`,
    );
  return { state, codeFor };
}

describe('public keys from the URL of the gateway', () => {
  const [a, b, forged] = [newKey('a'), newKey('b'), newKey('forged')];

  it.each<[string, () => Response | Promise<Response>]>([
    ['fails', () => Promise.reject(new TypeError('fetch failed'))],
    ['responds with 404', () => new Response('{}', { status: 404 })],
    ['responds with HTML', () => new Response('<html>')],
    ['responds with an empty set', () => new Response('{"keys":[]}')],
    ['responds with more than 64 KiB', () => new Response(' '.repeat(65_537) + setOf(a))],
  ])('are reported as unavailable with 503 when the gateway %s', async (_what, respond) => {
    const { state, codeFor } = setUp(respond);
    expect(await codeFor(a)).toBe('KEYS_UNAVAILABLE 503');
    state.respond = () => new Response(setOf(a));
    expect(await codeFor(a)).toBe('KEYS_UNAVAILABLE 503');
    state.now += 5_000;
    expect([await codeFor(a), state.fetches]).toEqual(['7', 2]);
  });

  it('are fetched once for many tokens', async () => {
    const { state, codeFor } = setUp(() => new Response(setOf(a)));
    expect(await Promise.all([codeFor(a), codeFor(a), codeFor(a)])).toEqual(['7', '7', '7']);
    state.now += 60_000;
    expect([await codeFor(a), state.fetches]).toEqual(['7', 1]);
  });

  it('are fetched again for an unknown key id, at most once in five seconds', async () => {
    const { state, codeFor } = setUp(() => new Response(setOf(a)));
    expect(await codeFor(a)).toBe('7');
    state.respond = () => new Response(setOf(a, b));
    for (let count = 0; count < 100; count += 1) expect(await codeFor(forged)).toBe('WRONG_SIGNATURE 401');
    expect(state.fetches).toBe(1);
    state.now += 5_000;
    expect([await codeFor(b), await codeFor(a), state.fetches]).toEqual(['7', '7', 2]);
    for (let count = 0; count < 100; count += 1) await codeFor(forged);
    expect(state.fetches).toBe(2);
  });

  it('remain in use when the gateway is unreachable', async () => {
    const { state, codeFor } = setUp(() => new Response(setOf(a)));
    expect(await codeFor(a)).toBe('7');
    state.respond = () => Promise.reject(new TypeError('fetch failed'));
    state.now += 3_600_000;
    expect(await codeFor(a)).toBe('7');
    expect(state.fetches).toBe(2);
  });

  it('are no longer trusted five minutes after the gateway removed them', async () => {
    const { state, codeFor } = setUp(() => new Response(setOf(a, b)));
    expect(await codeFor(b)).toBe('7');
    state.respond = () => new Response(setOf(a));
    state.now += 300_001;
    await codeFor(a); // starts the fetch
    await new Promise(setImmediate);
    expect(await codeFor(b)).toBe('WRONG_SIGNATURE 401');
  });
});
