import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IdentityKey, publicKeysOf, readIdentityKey } from '../../../../../gateway/config/identity-key.ts';
import { ANONYMOUS, type Principal } from '../../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../../gateway/subgraph-client/sign-identity.ts';
import type { IdentityKeySet } from '../../../../../gateway/subgraph-identity/verification-keys.ts';
import { createCallerVerifier } from '../../../../../subgraphs/kit/identity/verify-caller.ts';
import { readEnvironment } from '../../../../../subgraphs/read-environment.ts';
import { startLibraryGateway } from '../../../../fixtures/library-graph.ts';

const ALICE: Principal = { ...ANONYMOUS, kind: 'user', id: '1', roles: new Set(['ADMIN']), scopes: new Set(['read']) };
const BODY = '{"query":"{ me { name } } # é"}';
const NOW = Date.UTC(2030, 0, 1);
const clock = { now: () => NOW, monotonic: () => NOW };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let directory: string;
let key: Extract<IdentityKey, { readonly keyId: string }>;
let other: Extract<IdentityKey, { readonly keyId: string }>;

async function newKeyFile(type: 'ed25519' | 'ed448' = 'ed25519'): Promise<string> {
  const file = join(directory, `${Math.random()}.pem`);
  const { privateKey } = generateKeyPairSync(type as 'ed25519');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}

async function newKey(): Promise<typeof key> {
  const read = readIdentityKey({ privateKeyFile: await newKeyFile() });
  if (read === undefined || 'secret' in read) throw new Error('Expected a private key.');
  return read;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-identity-'));
  [key, other] = [await newKey(), await newKey()];
});

afterAll(() => rm(directory, { recursive: true }));

const published = (...keys: readonly IdentityKey[]): string =>
  JSON.stringify({ keys: keys.flatMap((one) => publicKeysOf(one)?.keys ?? []) });
const verifierOf = (...keys: readonly IdentityKey[]) =>
  createCallerVerifier({ trust: { keys: JSON.parse(published(...keys)) as IdentityKeySet }, audience: 'users', clock });
const signed = (by: IdentityKey = key, audience = 'users', body = BODY, principal = ALICE) =>
  createIdentitySigner({ key: by, form: 'bound', clock }).sign(audience, principal, body);
const split = (header: string) => ({ token: header.slice(0, header.lastIndexOf('.')), proof: header.slice(header.lastIndexOf('.') + 1) });
const prove = (token: string, body = BODY, by = key) => sign(null, Buffer.from(`${token}.${body}`), by.privateKey).toString('base64url');

/** A token with a custom header, the signature of the callback, and a correct proof. */
function made(header: Record<string, unknown>, signature: (input: string) => string): string {
  const seconds = NOW / 1_000;
  const claims = { iss: 'gatefold', aud: 'users', sub: '1', kind: 'user', roles: ['ADMIN'], scopes: [], iat: seconds, exp: seconds + 60 };
  const input = `${encode(header)}.${encode(claims)}`;
  const token = `${input}.${signature(input)}`;
  return `${token}.${prove(token)}`;
}

describe('identities that no gateway signed', () => {
  it.each<[string, () => string]>([
    ['signed by another key', () => signed(other)],
    ['signed by another key under the trusted key ID', () => signed({ ...other, keyId: key.keyId })],
    ['for another subgraph', () => signed(key, 'posts')],
    ['for another body', () => signed(key, 'users', '{}')],
    ['with a proof by another key', () => `${split(signed()).token}.${prove(split(signed()).token, BODY, other)}`],
    ['with the signature of the token as proof', () => `${split(signed()).token}.${split(signed()).token.split('.')[2]}`],
    ['with an empty proof', () => `${split(signed()).token}.`],
    ['with a proof that has padding', () => `${signed()}==`],
    ['with a proof of zeros', () => `${split(signed()).token}.${Buffer.alloc(64).toString('base64url')}`],
    ['signed by a shared secret', () => signed({ secret: 's'.repeat(43) })],
    [
      'signed by HMAC with the public key',
      () =>
        made({ alg: 'HS256', kid: key.keyId }, (input) =>
          createHmac('sha256', String(createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' })))
            .update(input)
            .digest('base64url'),
        ),
    ],
    ['with the algorithm none', () => made({ alg: 'none', kid: key.keyId }, () => '')],
    ['without a key ID', () => made({ alg: 'EdDSA' }, (input) => sign(null, Buffer.from(input), key.privateKey).toString('base64url'))],
    ['with a key ID that is an inherited property of objects', () => made({ alg: 'EdDSA', kid: '__proto__' }, () => 'AA')],
    [
      'with an embedded key',
      () =>
        made({ alg: 'EdDSA', kid: 'mine', jwk: createPublicKey(other.privateKey).export({ format: 'jwk' }) }, (input) =>
          sign(null, Buffer.from(input), other.privateKey).toString('base64url'),
        ),
    ],
    ['that is not a token', () => 'let.me.in'],
  ])('rejects an identity %s', async (_case, header) => {
    expect(await verifierOf(key)(header(), Buffer.from(BODY))).toBeUndefined();
  });

  it('rejects an identity signed by a private key when the subgraph trusts a shared secret', async () => {
    const verify = createCallerVerifier({ trust: { secret: 's'.repeat(43) }, audience: 'users', clock });
    expect(await verify(signed(), Buffer.from(BODY))).toBeUndefined();
  });
});

describe('identities that a gateway signed with its private key', () => {
  it('are verified with the public key, and one token is used with several bodies', async () => {
    const { sign: sign1 } = createIdentitySigner({ key, form: 'bound', clock });
    const verify = verifierOf(key);
    const headers = [BODY, '{}', ''].map((body) => [sign1('users', ALICE, body), body] as const);
    expect(new Set(headers.map(([header]) => split(header).token)).size).toBe(1);
    for (const [header, body] of headers) {
      expect(await verify(header, Buffer.from(body))).toEqual({
        issuer: '',
        isOwner: true,
        kind: 'user',
        id: '1',
        roles: new Set(['ADMIN']),
        scopes: new Set(['read']),
      });
    }
  });

  it('are verified with either key during a key rotation', async () => {
    const verify = verifierOf(key, other);
    for (const one of [key, other]) expect(await verify(signed(one), Buffer.from(BODY))).toMatchObject({ id: '1' });
  });

  it('have their public key, and not the private one, on the internal listener', async () => {
    const privateKeyFile = await newKeyFile();
    await using library = await startLibraryGateway({ config: { identity: { privateKeyFile } } });
    const response = await fetch(`${library.internalUrl}/identity/keys`);
    const set = (await response.json()) as { keys: Record<string, unknown>[] };
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jwk-set+json']);
    expect(set).toEqual({
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig' }],
    });
    const verify = createCallerVerifier({ trust: { keys: set }, audience: 'users', clock });
    expect(await verify(signed(readIdentityKey({ privateKeyFile }) as IdentityKey), Buffer.from(BODY))).toMatchObject({ id: '1' });
    expect((await fetch(`${library.internalUrl}/identity/keys`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${library.url}/identity/keys`)).status).toBe(404);
  });

  it('have no public keys when the gateway uses a shared secret', async () => {
    await using library = await startLibraryGateway({ config: { identity: { secret: 's'.repeat(43) } } });
    expect((await fetch(`${library.internalUrl}/identity/keys`)).status).toBe(404);
  });
});

describe('invalid keys', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['a missing file', async () => join(directory, 'nothing'), 'the file does not exist'],
    ['a file that is not a key', async () => join(directory, '..'), 'the file cannot be read'],
    ['a key of another type', () => newKeyFile('ed448'), 'expected an Ed25519, P-256 or RSA (2,048 bits) private key in PEM format'],
  ])('the gateway rejects %s and names the setting', async (_case, file, message) => {
    const privateKeyFile = await file();
    expect(() => readIdentityKey({ privateKeyFile })).toThrow(`identity.privateKeyFile: ${privateKeyFile}: ${message}`);
  });

  it.each([
    ['nonsense', 'is not a JWK Set'],
    ['{"keys":{}}', 'is not a JWK Set'],
    ['{"keys":[]}', 'contains no Ed25519, P-256 or RSA key with a "kid"'],
    [
      '{"keys":[null,{"kty":"RSA","kid":"a"},{"kty":"oct","k":"c2VjcmV0","kid":"b"}]}',
      'contains no Ed25519, P-256 or RSA key with a "kid"',
    ],
  ])('subgraphs reject the keys %s and name the variable', (text, message) => {
    expect(() => readEnvironment({ GATEFOLD_IDENTITY_KEYS: text })).toThrow(`GATEFOLD_IDENTITY_KEYS ${message}. Set it to`);
  });

  it('subgraphs reject a secret together with keys', () => {
    expect(() => readEnvironment({ GATEFOLD_IDENTITY_KEYS: published(key), GATEFOLD_IDENTITY_SECRET: 's'.repeat(32) })).toThrow('not both');
    const environment = { GATEFOLD_IDENTITY_KEYS: published(key), GATEFOLD_WEBHOOKS_KEY: 'w'.repeat(32) };
    expect(readEnvironment(environment).identity).toEqual({ keys: JSON.parse(published(key)) });
  });
});
