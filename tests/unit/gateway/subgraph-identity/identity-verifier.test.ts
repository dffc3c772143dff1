import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type IdentityKey, publicKeysOf } from '../../../../gateway/config/identity-key.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { createIdentitySigner, type IdentitySignerOptions } from '../../../../gateway/subgraph-client/sign-identity.ts';
import {
  createIdentityVerifier,
  IdentityRejected,
  type IdentityVerifierOptions,
  verifyIdentity,
} from '../../../../gateway/subgraph-identity/index.ts';
import { algorithmOf } from '../../../../gateway/subgraph-identity/signature-algorithm.ts';

const SECRET = 'a-secret-that-is-long-enough-for-anyone';
const OTHER_SECRET = 'another-secret-that-is-long-enough-too!';
const ALICE: Principal = {
  kind: 'user',
  id: '7',
  issuer: 'https://login.example',
  isOwner: true,
  roles: new Set(['ADMIN']),
  scopes: new Set(['films:read']),
  claims: {},
};
const BODY = '{"query":"{ me { name } } # é"}';

/** Time of the test, which the clock of gateway and subgraph share. @unit milliseconds since the epoch */
let now = Date.UTC(2030, 0, 1);
const clock = { now: () => now, monotonic: () => now };

function keyOf(privateKey: KeyObject, keyId = 'k1'): Exclude<IdentityKey, { readonly secret: string }> {
  return { privateKey, algorithm: algorithmOf(privateKey) ?? 'HS256', keyId };
}
const publish = (key: Exclude<IdentityKey, { readonly secret: string }>) => ({
  keys: (publicKeysOf(key)?.keys ?? []).map((jwk) => Object.assign({}, jwk, { kid: key.keyId })),
});

const ED25519 = keyOf(generateKeyPairSync('ed25519').privateKey);
const KEYS = publish(ED25519);

const sign = (options: Partial<IdentitySignerOptions> = {}, subgraph = 'films', principal = ALICE, body = BODY) =>
  createIdentitySigner({ key: { secret: SECRET }, clock, ...options }).sign(subgraph, principal, body);
const verifierOf = (options: Partial<IdentityVerifierOptions> = {}) =>
  createIdentityVerifier({ secret: SECRET, audience: 'films', clock, ...options });
const keyVerifier = createIdentityVerifier({ keys: KEYS, audience: 'films', clock });

/** Returns the code of the rejection. */
async function codeOf(verification: Promise<unknown>): Promise<string> {
  try {
    await verification;
    return 'verified';
  } catch (error) {
    expect(error).toBeInstanceOf(IdentityRejected);
    return (error as IdentityRejected).code;
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes a token by hand, with a correct HS256 signature by default. */
function forge(
  header: object,
  claims: object = {},
  signature = (input: string) => createHmac('sha256', SECRET).update(input).digest('base64url'),
) {
  const iat = now / 1_000;
  const payload = { iss: 'gatefold', aud: 'films', sub: '7', kind: 'user', roles: [], scopes: [], iat, exp: iat + 60, ...claims };
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${signature(input)}`;
}
const HS256 = { alg: 'HS256', typ: 'JWT' };

describe('a verifier of identities rejects', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['no header', 'MISSING', () => verifierOf()({ headers: {} })],
    ['an empty header', 'MISSING', () => verifierOf()({ headers: { 'gatefold-identity': '' } })],
    ['a token in another header', 'MISSING', () => verifierOf()({ headers: { authorization: `Bearer ${sign()}` } })],
    ['two headers', 'MISSING', () => verifierOf()({ headers: { 'gatefold-identity': [sign(), sign()] } })],
    ['text that is not a token', 'MALFORMED', () => verifierOf()('let me in')],
    ['three parts that are not a token', 'MALFORMED', () => verifierOf()('let.me.in')],
    ['five parts', 'MALFORMED', () => verifierOf()(`${sign()}.a.b`, BODY)],
    ['a header of 10,000 characters', 'MALFORMED', () => verifierOf()(`${sign()}${'A'.repeat(10_000)}`)],
    ['a token for another subgraph', 'WRONG_AUDIENCE', () => verifierOf()(sign({}, 'reviews'))],
    ['a token of another issuer', 'WRONG_ISSUER', () => verifierOf()(sign({ issuer: 'somebody' }))],
    ['another secret', 'WRONG_SIGNATURE', () => verifierOf({ secret: OTHER_SECRET })(sign())],
    ['a changed claim', 'WRONG_SIGNATURE', () => verifierOf()(forge(HS256, { roles: ['ADMIN'] }, () => sign().split('.')[2] ?? ''))],
    ['the algorithm none', 'WRONG_SIGNATURE', () => verifierOf()(forge({ alg: 'none' }, {}, () => ''))],
    ['the algorithm none, given public keys', 'WRONG_SIGNATURE', () => keyVerifier(forge({ alg: 'none', kid: 'k1' }, {}, () => ''))],
    ['the algorithm HS512 by name', 'WRONG_SIGNATURE', () => verifierOf()(forge({ alg: 'HS512' }))],
    [
      'an HMAC with the public key as its secret',
      'WRONG_SIGNATURE',
      () => {
        const pem = createPublicKey(ED25519.privateKey).export({ type: 'spki', format: 'pem' });
        return keyVerifier(forge({ ...HS256, kid: 'k1' }, {}, (input) => createHmac('sha256', pem).update(input).digest('base64url')));
      },
    ],
    ['a secret, given public keys', 'WRONG_SIGNATURE', () => keyVerifier(sign())],
    ['a public key, given a secret', 'WRONG_SIGNATURE', () => verifierOf()(sign({ key: ED25519 }))],
    ['an unknown key id', 'WRONG_SIGNATURE', () => keyVerifier(sign({ key: { ...ED25519, keyId: 'k2' } }))],
    [
      'another private key under a trusted key id',
      'WRONG_SIGNATURE',
      () => keyVerifier(sign({ key: keyOf(generateKeyPairSync('ed25519').privateKey) })),
    ],
    ['a lifetime of an hour', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { exp: now / 1_000 + 3_600 }))],
    ['no expiry', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { exp: undefined }))],
    ['an issue time in the future', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { iat: now / 1_000 + 600, exp: now / 1_000 + 660 }))],
    ['an unknown kind', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { kind: 'root' }))],
    ['a user without a subject', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { sub: '' }))],
    ['a subject that is a number', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { sub: 7 }))],
    ['roles that are text', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { roles: 'ADMIN' }))],
    ['scopes that contain a number', 'INVALID_CLAIMS', () => verifierOf()(forge(HS256, { scopes: ['read', 1] }))],
    ['a proof without the body', 'BODY_REQUIRED', () => verifierOf()(sign({ form: 'bound' }))],
    ['a proof of another body', 'WRONG_BODY', () => verifierOf()(sign({ form: 'bound' }), '{}')],
    ['an empty proof', 'WRONG_BODY', () => verifierOf()(`${sign()}.`, BODY)],
    ['a proof with padding', 'WRONG_BODY', () => verifierOf()(`${sign({ form: 'bound' })}=`, BODY)],
    ['a proof by another secret', 'WRONG_SIGNATURE', () => verifierOf({ secret: OTHER_SECRET })(sign({ form: 'bound' }), BODY)],
    ['a bound token without its proof', 'WRONG_FORM', () => verifierOf()(sign({ form: 'bound' }).split('.').slice(0, 3).join('.'))],
    ['a plain token where a proof is required', 'WRONG_FORM', () => verifierOf({ form: 'bound' })(sign(), BODY)],
    ['a proof where a plain token is required', 'WRONG_FORM', () => verifierOf({ form: 'jwt' })(sign({ form: 'bound' }), BODY)],
  ])('%s with %s', async (_what, code, verify) => {
    expect(await codeOf(verify())).toBe(code);
  });

  it('a bound token without its proof after the token was verified with it', async () => {
    const verify = verifierOf();
    const bound = sign({ form: 'bound' });
    expect(await codeOf(verify(bound, BODY))).toBe('verified');
    expect(await codeOf(verify(bound.split('.').slice(0, 3).join('.')))).toBe('WRONG_FORM');
  });

  it('an expired token, also one that was verified before', async () => {
    const start = now;
    const verify = verifierOf();
    const token = sign();
    expect(await codeOf(verify(token))).toBe('verified');
    now = start + 64_000;
    expect(await codeOf(verify(token))).toBe('verified');
    now = start + 65_000;
    expect([await codeOf(verify(token)), await codeOf(verifierOf()(token))]).toEqual(['EXPIRED', 'EXPIRED']);
    expect(await codeOf(verifierOf({ clockToleranceSeconds: 10 })(token))).toBe('verified');
    now = start;
  });

  it('with status 401 and a message without the token', async () => {
    const token = sign({}, 'reviews');
    const error = await verifierOf()(token).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'IdentityRejected', status: 401, statusCode: 401, extensions: { http: { status: 401 } } });
    expect((error as Error).message).toBe('The identity token is for another subgraph.');
  });
});

describe('a verifier of identities is not created', () => {
  it.each<[string, object, string]>([
    ['no trust', { audience: 'films' }, 'exactly one of the options "secret", "keys" and "jwksUrl"'],
    ['two kinds of trust', { audience: 'films', secret: SECRET, keys: KEYS }, 'exactly one of the options'],
    ['a short secret', { audience: 'films', secret: 'short' }, 'at least 32 characters'],
    ['no secrets', { audience: 'films', secret: [] }, 'at least one secret'],
    ['no audience', { secret: SECRET }, '"audience" of an identity verifier must be the name of the subgraph'],
    ['keys that are not a set', { audience: 'films', keys: [] }, 'The option "keys" of an identity verifier is not a JWK Set.'],
    ['keys without a usable key', { audience: 'films', keys: { keys: [{ kty: 'oct', k: 'AAAA', kid: 'a' }] } }, 'contains no Ed25519'],
    ['a URL of another scheme', { audience: 'films', jwksUrl: 'file:///keys.json' }, 'must be an http:// or https:// URL'],
  ])('with %s', (_what, options, message) => {
    expect(() => createIdentityVerifier(options as IdentityVerifierOptions)).toThrow(message);
  });
});

describe('a verified identity', () => {
  it.each(['jwt', 'bound'] as const)('in the form %s has the properties of the caller', async (form) => {
    const identity = await verifierOf()({ headers: { 'gatefold-identity': sign({ form }) } }, Buffer.from(BODY));
    expect(identity).toMatchObject({
      kind: 'user',
      subject: '7',
      issuer: 'https://login.example',
      isOwner: true,
      roles: new Set(['ADMIN']),
      scopes: new Set(['films:read']),
      expiresAt: now / 1_000 + 60,
      claims: { aud: 'films', iss: 'gatefold' },
    });
  });

  it('of an anonymous caller has no subject', async () => {
    expect(await verifierOf()(sign({}, 'films', ANONYMOUS))).toMatchObject({ kind: 'anonymous', subject: '', isOwner: false });
    const writer = await verifierOf()(sign({}, 'films', { ...ANONYMOUS, id: 's1' }));
    expect(writer).toMatchObject({ subject: '', session: 's1' });
  });

  it('is read from the headers of the Fetch API, and from Authorization without its scheme', async () => {
    const verify = verifierOf({ header: 'Authorization' });
    const headers = { Authorization: `Bearer ${sign()}` };
    expect(await verify(new Request('http://films.example', { headers }))).toMatchObject({ subject: '7' });
    expect(await verify({ headers: { authorization: headers.Authorization } })).toMatchObject({ subject: '7' });
  });

  it.each([
    ['EdDSA', () => generateKeyPairSync('ed25519').privateKey],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey],
  ])('is accepted with the algorithm %s, with and without a proof', async (algorithm, generate) => {
    const key = keyOf(generate());
    expect(key.algorithm).toBe(algorithm);
    const verify = createIdentityVerifier({ keys: publish(key), audience: 'films', clock });
    expect(await verify(sign({ key }))).toMatchObject({ subject: '7' });
    expect(await verify(sign({ key, form: 'bound' }), BODY)).toMatchObject({ subject: '7' });
    expect(await codeOf(verify(sign({ key, form: 'bound' }), `${BODY} `))).toBe('WRONG_BODY');
  });

  it('is accepted with either secret while the secret is replaced', async () => {
    const verify = verifierOf({ secret: [OTHER_SECRET, SECRET] });
    for (const secret of [SECRET, OTHER_SECRET]) expect(await verify(sign({ key: { secret } }))).toMatchObject({ subject: '7' });
    expect(await codeOf(verify(sign({ key: { secret: 'x'.repeat(32) } })))).toBe('WRONG_SIGNATURE');
  });

  it('is the same object for the same token, also by verifyIdentity', async () => {
    const options: IdentityVerifierOptions = { secret: SECRET, audience: 'films', clock };
    const first = await verifyIdentity(sign(), options);
    expect(await verifyIdentity(sign(), options)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });
});
