import { createHmac, generateKeyPairSync, KeyObject, randomUUID, sign as signBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createAuthentication } from '../../../../gateway/auth/authenticator.ts';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { hang, json, startFakeIdentityProvider } from './fake-identity-provider.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const ISSUER = 'https://id.example';
const AUDIENCE = 'https://graph.example';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface SigningKey extends KeyPair {
  readonly alg: string;
  readonly jwk: JWK & { readonly kid: string };
}

async function signingKey(alg: string, kid: string): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { ...pair, alg, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
}

interface TokenOptions {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
}

function sign({ privateKey, alg, jwk }: SigningKey, { claims = {}, header = {} }: TokenOptions = {}): Promise<string> {
  const all = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: '7',
    iat: NOW / SECOND,
    exp: NOW / SECOND + 3_600,
    roles: ['ADMIN'],
    tenant: 'one',
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey, { crit: { x: true } });
}

/** A token whose content is written to the letter, with a signature that is right for it. */
async function signText({ privateKey, alg, jwk }: SigningKey, payload: string, header: Record<string, unknown> = {}): Promise<string> {
  return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey, { crit: { x: true } });
}

const contentWith = (text: string): string =>
  `{"iss":"${ISSUER}","aud":"${AUDIENCE}","sub":"7","tenant":"one","iat":${NOW / SECOND},"exp":${NOW / SECOND + 60}${text}}`;

/** With one bit of its signature turned over. */
function flipped(token: string, bit: number): string {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const at = bit % (bytes.length * 8);
  bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
  return [header, payload, bytes.toString('base64url')].join('.');
}

const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const INVALID_TOKEN = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  message: 'The bearer token is not valid here.',
  headers: { 'www-authenticate': 'Bearer realm="gatefold", error="invalid_token"' },
});
const UNREADABLE = expect.objectContaining({ code: 'UNAUTHENTICATED', headers: { 'www-authenticate': 'Bearer realm="gatefold"' } });
const UNAVAILABLE = expect.objectContaining({ code: 'AUTH_UNAVAILABLE', status: 503 });

let rsa: SigningKey;
let ec: SigningKey;
let strange: SigningKey;
let directory: string;

beforeAll(async () => {
  [rsa, ec, strange] = await Promise.all([signingKey('RS256', 'one'), signingKey('ES256', 'two'), signingKey('RS256', 'one')]);
  directory = await mkdtemp(join(tmpdir(), 'gatefold-auth-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** An authentication on a clock that stands, with `main` as its issuer. */
function start(issuer: Record<string, unknown>, others: Record<string, Record<string, unknown>> = {}) {
  const time = { now: NOW, monotonic: 0 };
  const config = auth.parse({ providers: { jwt: { main: { issuer: ISSUER, audiences: [AUDIENCE], ...issuer }, ...others } } });
  const clock = { now: () => time.now, monotonic: () => time.monotonic };
  const { authenticate, [Symbol.asyncDispose]: close } = createAuthentication(config, { clock, logger: silentLogger });
  const by = (token: string) => authenticate({ authorization: `Bearer ${token}` });
  const pass = (ms: number): void => {
    time.now += ms;
    time.monotonic += ms;
  };
  return { by, authenticate, pass, [Symbol.asyncDispose]: close };
}

async function keyFile(keys: readonly JWK[]): Promise<string> {
  const file = join(directory, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ keys }));
  return file;
}

describe('forged and misplaced tokens', () => {
  const seconds = (offset: number) => NOW / SECOND + offset;

  const WRONG: readonly (readonly [string, () => Promise<string>])[] = [
    ['that has ended', () => sign(rsa, { claims: { exp: seconds(-31) } })],
    ['that ended in another century', () => sign(rsa, { claims: { exp: 0 } })],
    ['without an end', () => sign(rsa, { claims: { exp: undefined } })],
    ['whose end is text', () => sign(rsa, { claims: { exp: String(seconds(60)) } })],
    ['that has not begun', () => sign(rsa, { claims: { nbf: seconds(31) } })],
    ['that was issued in the future', () => sign(rsa, { claims: { iat: seconds(301) } })],
    ['whose issue is text', () => sign(rsa, { claims: { iat: 'today' } })],
    ['of another issuer', () => sign(rsa, { claims: { iss: 'https://evil.example' } })],
    ['of an issuer with a slash more', () => sign(rsa, { claims: { iss: `${ISSUER}/` } })],
    ['of an issuer in capitals', () => sign(rsa, { claims: { iss: ISSUER.toUpperCase() } })],
    ['of an issuer in a list', () => sign(rsa, { claims: { iss: [ISSUER] } })],
    ['of no issuer', () => sign(rsa, { claims: { iss: undefined } })],
    ['of an issuer that is a part of every object', () => sign(rsa, { claims: { iss: '__proto__' } })],
    ['for somebody else', () => sign(rsa, { claims: { aud: 'https://other.example' } })],
    ['for nobody', () => sign(rsa, { claims: { aud: undefined } })],
    ['for an empty list', () => sign(rsa, { claims: { aud: [] } })],
    ['for us in a text of several', () => sign(rsa, { claims: { aud: `${AUDIENCE} x` } })],
    ['without a subject', () => sign(rsa, { claims: { sub: undefined } })],
    ['with an empty subject', () => sign(rsa, { claims: { sub: '' } })],
    ['with a subject that is a number', () => sign(rsa, { claims: { sub: 7 } })],
    ['with a subject that is a list', () => sign(rsa, { claims: { sub: ['7'] } })],
    ['without a required claim', () => sign(rsa, { claims: { tenant: undefined } })],
    ['of type logout+jwt', () => sign(rsa, { header: { typ: 'logout+jwt' } })],
    ['of type dpop+jwt', () => sign(rsa, { header: { typ: 'dpop+jwt' } })],
    ['of an empty type', () => sign(rsa, { header: { typ: '' } })],
    ['of another key with the same id', () => sign(strange)],
    ['of another key with its own id', () => sign({ ...strange, jwk: { ...strange.jwk, kid: 'three' } })],
    ['of another key that it brings along', () => sign(strange, { header: { jwk: strange.jwk } })],
    ['of another key at an address that it names', () => sign(strange, { header: { jku: 'http://127.0.0.1:9/keys' } })],
    ['of another key in a certificate at an address', () => sign(strange, { header: { x5u: 'http://127.0.0.1:9/certificate' } })],
    ['of another key in a certificate that it brings along', () => sign(strange, { header: { x5c: ['MIIB'] } })],
    ['with a path as id of its key', () => sign(strange, { header: { kid: '../../../../dev/null' } })],
    ['with letters that only look like the id of its key', () => sign(rsa, { header: { kid: '\u043ene' } })],
    ['with SQL as id of its key', () => sign(strange, { header: { kid: "one' UNION SELECT 'x" } })],
    ['with a part of every object as id of its key', () => sign(strange, { header: { kid: '__proto__' } })],
    ['with an id of its key that is a number', () => sign(strange, { header: { kid: 1 } })],
    ['with an id of its key of 8,000 characters', () => sign(strange, { header: { kid: 'k'.repeat(8_000) } })],
    ['without an id of its key', () => sign(strange, { header: { kid: undefined } })],
    ['that asks for an unknown extension', () => sign(rsa, { header: { crit: ['x'], x: 1 } })],
    ['signed with the elliptic key under the id of the other', () => sign({ ...ec, jwk: { ...ec.jwk, kid: 'one' } })],
    ['with more roles than fit into a header', () => sign(rsa, { claims: { roles: Array.from({ length: 900 }, (_, n) => `R${n}`) } })],
    ['with a subject longer than a header', () => sign(rsa, { claims: { sub: '\u{1f4a9}'.repeat(1_100) } })],
    ...['none', 'None', 'NONE', 'nOnE', '', 'HS256', 'HS384', 'HS512', 'RS512', 'PS256', 'ES512', 'dir', 'A128KW', 'rs256', 'RS256 '].map(
      (alg) =>
        [
          `whose header says ${JSON.stringify(alg)} above a signature of RS256`,
          async () => [encode({ alg, kid: 'one' }), ...(await sign(rsa)).split('.').slice(1)].join('.'),
        ] as const,
    ),
    ...['none', 'None', 'NONE'].map(
      (alg) => [`without a signature, of algorithm ${alg}`, async () => `${encode({ alg })}.${(await sign(rsa)).split('.')[1]}.`] as const,
    ),
    ...(['PEM', 'PEM without its last line', 'modulus', 'JWK'] as const).map(
      (form) =>
        [
          `signed by HMAC with the public key as ${form}`,
          async () => {
            const pem = await exportSPKI(rsa.publicKey);
            const secret = { PEM: pem, 'PEM without its last line': pem.trim(), modulus: rsa.jwk.n ?? '', JWK: JSON.stringify(rsa.jwk) };
            const input = `${encode({ alg: 'HS256', kid: 'one' })}.${(await sign(rsa)).split('.')[1]}`;
            return `${input}.${createHmac('sha256', secret[form]).update(input).digest('base64url')}`;
          },
        ] as const,
    ),
    ['with an empty signature', async () => `${(await sign(rsa)).split('.').slice(0, 2).join('.')}.`],
    ['with a signature cut short', async () => (await sign(rsa)).slice(0, -8)],
    ['with a signature of zeros', async () => [...(await sign(ec)).split('.').slice(0, 2), encode('\0'.repeat(64))].join('.')],
    [
      'with an altered content',
      async () => {
        const [header, , signature] = (await sign(rsa)).split('.');
        return [header, (await sign(rsa, { claims: { sub: '1' } })).split('.')[1], signature].join('.');
      },
    ],
    ['with a content that is no object', async () => `${encode({ alg: 'RS256' })}.${encode('[]')}.AA`],
    ['with a content that is no JSON', async () => `${encode({ alg: 'RS256' })}.${encode('{"iss":')}.AA`],
    ['with a header that is no JSON', async () => `${encode('{')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with a header that is null', async () => `${encode('null')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with two headers, joined as one', async () => `${encode('{"alg":"RS256"}{"alg":"none"}')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with an algorithm told twice', async () => `${encode('{"alg":"RS256","alg":"none"}')}.${(await sign(rsa)).split('.')[1]}.`],
    ['with a content that is not UTF-8', async () => `${encode({ alg: 'RS256' })}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.AA`],
    ['whose end is before all time', () => sign(rsa, { claims: { exp: -1 } })],
    ['whose end is beyond all numbers', () => signText(rsa, contentWith(',"exp":1e400'))],
    ['whose end is null', () => sign(rsa, { claims: { exp: null } })],
    ['whose end is true', () => sign(rsa, { claims: { exp: true } })],
    ['whose end is a list', () => sign(rsa, { claims: { exp: [seconds(60)] } })],
    ['whose beginning is text', () => sign(rsa, { claims: { nbf: '0' } })],
    ['whose beginning is beyond all numbers', () => signText(rsa, contentWith(',"nbf":1e400'))],
    ['that was issued beyond all numbers', () => signText(rsa, contentWith(',"iat":1e400'))],
    ['for others in a list', () => sign(rsa, { claims: { aud: ['https://other.example', 'x'] } })],
    ['for us in a list of lists', () => sign(rsa, { claims: { aud: [[AUDIENCE]] } })],
    ['for us as a name in an object', () => sign(rsa, { claims: { aud: { [AUDIENCE]: true } } })],
    [
      'whose subject was told twice, by somebody else',
      async () => {
        const [header, , signature] = (await sign(rsa)).split('.');
        return [header, encode(contentWith(',"sub":"1"')), signature].join('.');
      },
    ],
    ['whose issuer is told twice, the last one another', () => signText(rsa, contentWith(',"iss":"https://evil.example"'))],
    ['with a content that is null', () => signText(rsa, 'null')],
    ['with a content that is a list', () => signText(rsa, `[${contentWith('')}]`)],
    ['with a content that is text', () => signText(rsa, JSON.stringify(contentWith('')))],
    ['that is another token inside', async () => signText(rsa, await sign(rsa), { cty: 'JWT' })],
    [
      'whose content is not encoded',
      () =>
        sign(rsa, { header: { b64: false, crit: ['b64'] } }).catch(
          async () =>
            `${encode({ alg: 'RS256', kid: 'one', b64: false, crit: ['b64'] })}.${(await sign(rsa)).split('.').slice(1).join('.')}`,
        ),
    ],
    [
      'that asks for nothing as an extension',
      async () => `${encode({ alg: 'RS256', kid: 'one', crit: [] })}.${(await sign(rsa)).split('.').slice(1).join('.')}`,
    ],
    ['with an id of its key of 200 characters', () => sign(strange, { header: { kid: 'k'.repeat(200) } })],
    ['with the id of its key twice over', () => sign(strange, { header: { kid: 'one,one' } })],
    ['with a NUL after the id of its key', () => sign(strange, { header: { kid: 'one\0' } })],
    ['with a list as id of its key', () => sign(strange, { header: { kid: ['one'] } })],
    ['of type JWE', () => sign(rsa, { header: { typ: 'JWE' } })],
    ['of a type that is a number', () => sign(rsa, { header: { typ: 1 } })],
    ['of a type that begins like ours', () => sign(rsa, { header: { typ: 'JWTs' } })],
    [
      'with a signature in another encoding of its curve',
      async () => {
        const input = (await sign(ec)).split('.').slice(0, 2).join('.');
        const der = signBytes('sha256', Buffer.from(input), { key: KeyObject.from(ec.privateKey as Parameters<typeof KeyObject.from>[0]), dsaEncoding: 'der' });
        return `${input}.${der.toString('base64url')}`;
      },
    ],
    [
      'with a signature of which one half is zero',
      async () => {
        const [header, payload, signature = ''] = (await sign(ec)).split('.');
        return [
          header,
          payload,
          Buffer.concat([Buffer.alloc(32), Buffer.from(signature, 'base64url').subarray(32)]).toString('base64url'),
        ].join('.');
      },
    ],
    [
      'with a signature of the order of its curve',
      async () => {
        const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
        return [...(await sign(ec)).split('.').slice(0, 2), Buffer.concat([order, order]).toString('base64url')].join('.');
      },
    ],
    ...[0, 7, 8, 1_000, 2_047].map(
      (bit) => [`with bit ${bit} of its signature turned over`, async () => flipped(await sign(rsa), bit)] as const,
    ),
    ...[0, 255, 256, 511].map(
      (bit) => [`with bit ${bit} of its elliptic signature turned over`, async () => flipped(await sign(ec), bit)] as const,
    ),
    ['with a signature twice as long', async () => `${await sign(rsa)}${(await sign(rsa)).split('.')[2]}`],
    [
      'with the signature of another token',
      async () => {
        const other = await sign(rsa, { claims: { sub: '8' } });
        return [...(await sign(rsa)).split('.').slice(0, 2), other.split('.')[2]].join('.');
      },
    ],
    ['of one part', async () => 'abc'],
    ['of two parts', async () => 'abc.def'],
    ['of four parts', async () => `${await sign(rsa)}.AA`],
    ['of five parts, as if encrypted', async () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`],
    ['of three empty parts', async () => '..'],
  ];

  it.each(WRONG)('given a token %s, when it comes, then it is refused, and nothing is told of why', async (_case, make) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk, ec.jwk]), requiredClaims: ['tenant'] });
    const token = (await make()).replace(/=+$/, '');
    await expect(gateway.by(token)).rejects.toEqual(INVALID_TOKEN);
  });

  it('given the cases of this table, when they are counted, then they are eighty at least', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(80);
  });

  it.each([
    ['a token of 100 KB', () => `Bearer ${'a'.repeat(100_000)}`],
    ['letters beyond ASCII', () => 'Bearer тoken'],
    ['two tokens joined by a comma', () => 'Bearer a.b.c, Bearer a.b.c'],
    ['a token with a line break', () => 'Bearer a.b\n.c'],
    ['a token with a space in it', () => 'Bearer a.b .c'],
    ['a token with a tab before it', () => 'Bearer \ta.b.c'],
    ['the scheme twice', () => 'Bearer Bearer a.b.c'],
    ['a token in quotes', () => 'Bearer "a.b.c"'],
    ['a token percent-encoded', () => 'Bearer a%2Eb%2Ec'],
    ['a token with padding inside', () => 'Bearer a=.b.c'],
  ])('given %s, when it comes, then it is no token at all', async (_case, header) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]) });
    await expect(gateway.authenticate({ authorization: header() })).rejects.toEqual(UNREADABLE);
  });

  it('given tokens by two issuers, when each signs for the other, then both are refused, and their own are good', async () => {
    const others = {
      second: { issuer: 'https://two.example', audiences: ['other'], algorithms: ['ES256'], jwksFile: await keyFile([ec.jwk]) },
    };
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]) }, others);
    const asSecond = { iss: 'https://two.example', aud: 'other' };
    await expect(gateway.by(await sign(ec))).rejects.toEqual(INVALID_TOKEN);
    await expect(gateway.by(await sign(rsa, { claims: asSecond }))).rejects.toEqual(INVALID_TOKEN);
    await expect(gateway.by(await sign(rsa))).resolves.toMatchObject({ id: '7' });
    await expect(gateway.by(await sign(ec, { claims: asSecond }))).resolves.toMatchObject({ id: '7' });
  });
});

describe('good tokens', () => {
  it.each([
    ['at the edge of its end', { exp: NOW / SECOND - 29 }, {}],
    ['at the edge of its beginning', { nbf: NOW / SECOND + 29 }, {}],
    ['with our name among others', { aud: ['x', AUDIENCE] }, {}],
    ['of type at+jwt', {}, { typ: 'application/AT+jwt' }],
    ['of type jwt', {}, { typ: 'jwt' }],
    ['with a key and an address that are of no use', {}, { jku: 'http://127.0.0.1:9/keys' }],
    ['without an id of its key, where one key alone fits', {}, { kid: undefined }],
  ])('given a token %s, when it comes, then it is good', async (_case, claims, header) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk, ec.jwk]) });
    await expect(gateway.by(await sign(rsa, { claims, header }))).resolves.toMatchObject({ id: '7', roles: new Set(['ADMIN']) });
  });

  it.each([
    [{ realm_access: { roles: ['A', 'B'] } }, ['A', 'B']],
    [{ 'https://example.org/roles': ['C'] }, ['C']],
    [{ realm_access: 'A' }, []],
    [{ realm_access: null }, []],
  ])('given the claims %j, when roles are read where the configuration says, then they are those', async (claims, roles) => {
    const rolesClaims = ['realm_access.roles', 'https://example.org/roles', 'constructor.name', '__proto__.roles'];
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]), rolesClaims });
    await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ roles: new Set(roles) });
  });

  it('given a shared key in a file, when tokens of it come, then they are good', async () => {
    const secretFile = join(directory, 'shared.key');
    const secret = 's'.repeat(32);
    await writeFile(secretFile, `${secret}\n`);
    await using gateway = start({ secretFile, algorithms: ['HS256'] });
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: '7', exp: NOW / SECOND + 60 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    await expect(gateway.by(token)).resolves.toMatchObject({ id: '7' });
  });

  it('given a key that leaves the file, when its token comes again, then it is refused though it was good before', async () => {
    const jwksFile = await keyFile([rsa.jwk, ec.jwk]);
    await using gateway = start({ jwksFile });
    const token = await sign(rsa);
    const first = await gateway.by(token);
    expect(await gateway.by(token)).toBe(first);
    await writeFile(jwksFile, '{"keys": [');
    await writeFile(jwksFile, JSON.stringify({ keys: [ec.jwk] }));
    await refused(() => gateway.by(token));
    await expect(gateway.by(await sign(ec))).resolves.toMatchObject({ id: '7' });
  });
});

describe('keys at an address', () => {
  it('given an address that gives no keys, when a token comes, then nobody can tell, and keys that arrive later count', async () => {
    await using provider = await startFakeIdentityProvider(json({ error: 'down' }, 500));
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
    provider.answer(json({ keys: [rsa.jwk] }));
    await knowsKeys(gateway);
  });

  it('given an identity provider that hangs, when a token comes, then it is not waited for longer than requests can bear', async () => {
    await using provider = await startFakeIdentityProvider(hang);
    await using gateway = start({ jwksUrl: provider.url });
    await expect(gateway.by(await sign(rsa))).rejects.toEqual(UNAVAILABLE);
  });

  it.each([
    ['is down', json({}, 503)],
    ['gives no key', json({ keys: [] })],
    ['gives garbage', json('garbage')],
    ['gives keys without end', json({ keys: [{ kty: 'RSA', n: 'x'.repeat(70_000) }] })],
    ['redirects', json({}, 302)],
  ])('given an identity provider that %s for an hour, when tokens of known keys come, then all are good', async (_case, answer) => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url, refreshIntervalMs: 1 });
    await knowsKeys(gateway);
    provider.answer(answer);
    for (let minute = 0; minute < 59; minute += 1) {
      gateway.pass(60 * SECOND);
      const claims = { sub: String(minute), exp: NOW / SECOND + 7_200 };
      await expect(gateway.by(await sign(rsa, { claims }))).resolves.toMatchObject({ id: String(minute) });
    }
    gateway.pass(24 * 3_600 * SECOND);
    const late = { exp: NOW / SECOND + 100_000 };
    await expect(gateway.by(await sign(rsa, { claims: late }))).rejects.toEqual(UNAVAILABLE);
  });

  it('given a key that is new, when its tokens come all at once, then one look finds it, and none is refused', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    provider.answer(json({ keys: [rsa.jwk, ec.jwk] }));
    const tokens = await Promise.all(Array.from({ length: 100 }, (_, n) => sign(ec, { claims: { sub: `u${n}` } })));
    const principals = await Promise.all(tokens.map(gateway.by));
    expect(principals.map(({ id }) => id)).toEqual(tokens.map((_, n) => `u${n}`));
    expect(provider.asked - before).toBe(1);
  });

  it('given 10,000 ids of keys that nobody has, when their tokens come, then three questions are asked, and one each half minute', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    const [, payload] = (await sign(rsa)).split('.');
    const forge = (n: number) => gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`);
    for (let n = 0; n < 10_000; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked - before).toBe(3);
    gateway.pass(60 * SECOND);
    for (let n = 0; n < 100; n += 1) await expect(forge(n)).rejects.toEqual(INVALID_TOKEN);
    expect(provider.asked - before).toBe(5);
  });

  it('given an identity provider that fails, when 1,000 unknown ids come, then failures count as questions', async () => {
    await using provider = await startFakeIdentityProvider(json({ keys: [rsa.jwk] }));
    await using gateway = start({ jwksUrl: provider.url });
    await knowsKeys(gateway);
    const before = provider.asked;
    provider.answer(json({}, 500));
    const [, payload] = (await sign(rsa)).split('.');
    for (let n = 0; n < 1_000; n += 1) {
      await expect(gateway.by(`${encode({ alg: 'RS256', kid: `k${n}` })}.${payload}.AAAA`)).rejects.toEqual(UNAVAILABLE);
    }
    expect(provider.asked - before).toBe(3);
  });
});

describe('configurations that are not started with', () => {
  const issuer = { issuer: ISSUER, audiences: [AUDIENCE] };
  const parse = (main: Record<string, unknown>) => () => auth.parse({ providers: { jwt: { main } } });

  it.each([
    ['no keys', issuer, 'name one of'],
    ['two sources of keys', { ...issuer, jwksFile: 'a', jwksUrl: 'https://id.example/keys' }, 'name one of'],
    ['the algorithm none', { ...issuer, jwksFile: 'a', algorithms: ['none'] }, 'expected one of RS256'],
    ['a shared key beside public ones', { ...issuer, jwksFile: 'a', algorithms: ['RS256', 'HS256'] }, 'go with secretFile'],
    ['a public algorithm with a shared key', { ...issuer, secretFile: 'a' }, 'go with secretFile'],
    ['no audience', { ...issuer, audiences: [], jwksFile: 'a' }, 'Too small'],
  ])('given %s, when it is read, then the mistake is told', (_case, main, message) => {
    expect(parse(main)).toThrow(message);
  });

  it('given a shared key that is too short, when it starts, then it says how long it must be', async () => {
    const secretFile = join(directory, 'short.key');
    await writeFile(secretFile, 's'.repeat(31));
    expect(() => start({ secretFile, algorithms: ['HS256'] })).toThrow('a key of 31 bytes is too short, 32 are needed');
  });

  it('given a file that is not there, when it starts, then setting and file are named', () => {
    expect(() => start({ jwksFile: '/nowhere/keys.json' })).toThrow(
      'auth.providers.jwt.main.jwksFile: /nowhere/keys.json: there is no such file',
    );
  });

  it('given a file with a weak key, when a token of it comes, then it is refused', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const weak = { ...(await exportJWK(publicKey)), kid: 'weak', alg: 'RS256' };
    await using gateway = start({ jwksFile: await keyFile([weak]) });
    const { createSign } = await import('node:crypto');
    const input = `${encode({ alg: 'RS256', kid: 'weak' })}.${(await sign(rsa)).split('.')[1]}`;
    await expect(gateway.by(`${input}.${createSign('sha256').update(input).sign(privateKey, 'base64url')}`)).rejects.toEqual(INVALID_TOKEN);
  });
});

/** Until keys have arrived: on a busy machine that may take longer than requests wait. */
async function knowsKeys({ by }: ReturnType<typeof start>): Promise<void> {
  for (;;) {
    const known = await by(await sign(rsa)).catch((error: unknown) => expect(error).toEqual(UNAVAILABLE));
    if (known !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Until what was changed in a file has been seen. */
async function refused(attempt: () => Promise<unknown>): Promise<void> {
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
