import { createHmac, KeyObject, sign as signBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { exportSPKI } from 'jose';
import {
  AUDIENCE,
  INVALID_TOKEN,
  ISSUER,
  NOW,
  SECOND,
  UNREADABLE,
  contentWith,
  ec,
  encode,
  flipped,
  keyFile,
  rsa,
  sign,
  signText,
  start,
  strange,
  useKeyDirectory,
} from './signed-tokens.ts';

useKeyDirectory();

describe('forged and misplaced tokens', () => {
  const seconds = (offset: number) => NOW / SECOND + offset;

  const WRONG: readonly (readonly [string, () => Promise<string>])[] = [
    ['that has expired', () => sign(rsa, { claims: { exp: seconds(-31) } })],
    ['that expired in 1970', () => sign(rsa, { claims: { exp: 0 } })],
    ['without an expiry', () => sign(rsa, { claims: { exp: undefined } })],
    ['whose expiry is a string', () => sign(rsa, { claims: { exp: String(seconds(60)) } })],
    ['that is not valid yet', () => sign(rsa, { claims: { nbf: seconds(31) } })],
    ['that was issued in the future', () => sign(rsa, { claims: { iat: seconds(301) } })],
    ['whose issue time is a string', () => sign(rsa, { claims: { iat: 'today' } })],
    ['of another issuer', () => sign(rsa, { claims: { iss: 'https://evil.example' } })],
    ['of an issuer with an extra slash', () => sign(rsa, { claims: { iss: `${ISSUER}/` } })],
    ['of an issuer in capitals', () => sign(rsa, { claims: { iss: ISSUER.toUpperCase() } })],
    ['of an issuer in a list', () => sign(rsa, { claims: { iss: [ISSUER] } })],
    ['without an issuer', () => sign(rsa, { claims: { iss: undefined } })],
    ['of an issuer that is an inherited property name', () => sign(rsa, { claims: { iss: '__proto__' } })],
    ['for another audience', () => sign(rsa, { claims: { aud: 'https://other.example' } })],
    ['without an audience', () => sign(rsa, { claims: { aud: undefined } })],
    ['with an empty list of audiences', () => sign(rsa, { claims: { aud: [] } })],
    ['with the audience in a string of several audiences', () => sign(rsa, { claims: { aud: `${AUDIENCE} x` } })],
    ['without a subject', () => sign(rsa, { claims: { sub: undefined } })],
    ['with an empty subject', () => sign(rsa, { claims: { sub: '' } })],
    ['with a subject that is a number', () => sign(rsa, { claims: { sub: 7 } })],
    ['with a subject that is a list', () => sign(rsa, { claims: { sub: ['7'] } })],
    ['without a required claim', () => sign(rsa, { claims: { tenant: undefined } })],
    ['of type logout+jwt', () => sign(rsa, { header: { typ: 'logout+jwt' } })],
    ['of type dpop+jwt', () => sign(rsa, { header: { typ: 'dpop+jwt' } })],
    ['of an empty type', () => sign(rsa, { header: { typ: '' } })],
    ['of another key with the same id', () => sign(strange)],
    ['of another key with a different id', () => sign({ ...strange, jwk: { ...strange.jwk, kid: 'three' } })],
    ['of another key that it includes', () => sign(strange, { header: { jwk: strange.jwk } })],
    ['of another key at a URL that it names', () => sign(strange, { header: { jku: 'http://127.0.0.1:9/keys' } })],
    ['of another key in a certificate at a URL', () => sign(strange, { header: { x5u: 'http://127.0.0.1:9/certificate' } })],
    ['of another key in a certificate that it includes', () => sign(strange, { header: { x5c: ['MIIB'] } })],
    ['with a path as key id', () => sign(strange, { header: { kid: '../../../../dev/null' } })],
    ['with letters that only resemble its key id', () => sign(rsa, { header: { kid: '\u043ene' } })],
    ['with SQL as key id', () => sign(strange, { header: { kid: "one' UNION SELECT 'x" } })],
    ['with an inherited property name as key id', () => sign(strange, { header: { kid: '__proto__' } })],
    ['with a number as key id', () => sign(strange, { header: { kid: 1 } })],
    ['with a key id of 8,000 characters', () => sign(strange, { header: { kid: 'k'.repeat(8_000) } })],
    ['without a key id', () => sign(strange, { header: { kid: undefined } })],
    ['that requires an unknown extension', () => sign(rsa, { header: { crit: ['x'], x: 1 } })],
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
      'with an altered payload',
      async () => {
        const [header, , signature] = (await sign(rsa)).split('.');
        return [header, (await sign(rsa, { claims: { sub: '1' } })).split('.')[1], signature].join('.');
      },
    ],
    ['with a payload that is not an object', async () => `${encode({ alg: 'RS256' })}.${encode('[]')}.AA`],
    ['with a payload that is not JSON', async () => `${encode({ alg: 'RS256' })}.${encode('{"iss":')}.AA`],
    ['with a header that is not JSON', async () => `${encode('{')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with a header that is null', async () => `${encode('null')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with two headers, joined as one', async () => `${encode('{"alg":"RS256"}{"alg":"none"}')}.${(await sign(rsa)).split('.')[1]}.AA`],
    ['with two algorithms', async () => `${encode('{"alg":"RS256","alg":"none"}')}.${(await sign(rsa)).split('.')[1]}.`],
    ['with a payload that is not UTF-8', async () => `${encode({ alg: 'RS256' })}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.AA`],
    ['whose expiry is negative', () => sign(rsa, { claims: { exp: -1 } })],
    ['whose expiry exceeds the range of numbers', () => signText(rsa, contentWith(',"exp":1e400'))],
    ['whose expiry is null', () => sign(rsa, { claims: { exp: null } })],
    ['whose expiry is true', () => sign(rsa, { claims: { exp: true } })],
    ['whose expiry is a list', () => sign(rsa, { claims: { exp: [seconds(60)] } })],
    ['whose start is a string', () => sign(rsa, { claims: { nbf: '0' } })],
    ['whose start exceeds the range of numbers', () => signText(rsa, contentWith(',"nbf":1e400'))],
    ['whose issue time exceeds the range of numbers', () => signText(rsa, contentWith(',"iat":1e400'))],
    ['with a list of other audiences', () => sign(rsa, { claims: { aud: ['https://other.example', 'x'] } })],
    ['with the audience in a list of lists', () => sign(rsa, { claims: { aud: [[AUDIENCE]] } })],
    ['with the audience as a key of an object', () => sign(rsa, { claims: { aud: { [AUDIENCE]: true } } })],
    [
      'with a second subject that was added after signing',
      async () => {
        const [header, , signature] = (await sign(rsa)).split('.');
        return [header, encode(contentWith(',"sub":"1"')), signature].join('.');
      },
    ],
    ['with two issuers, the second of which is unknown', () => signText(rsa, contentWith(',"iss":"https://evil.example"'))],
    ['with a payload that is null', () => signText(rsa, 'null')],
    ['with a payload that is a list', () => signText(rsa, `[${contentWith('')}]`)],
    ['with a payload that is a string', () => signText(rsa, JSON.stringify(contentWith('')))],
    ['that contains another token', async () => signText(rsa, await sign(rsa), { cty: 'JWT' })],
    [
      'whose payload is not encoded',
      () =>
        sign(rsa, { header: { b64: false, crit: ['b64'] } }).catch(
          async () =>
            `${encode({ alg: 'RS256', kid: 'one', b64: false, crit: ['b64'] })}.${(await sign(rsa)).split('.').slice(1).join('.')}`,
        ),
    ],
    [
      'with an empty list of extensions',
      async () => `${encode({ alg: 'RS256', kid: 'one', crit: [] })}.${(await sign(rsa)).split('.').slice(1).join('.')}`,
    ],
    ['with a key id of 200 characters', () => sign(strange, { header: { kid: 'k'.repeat(200) } })],
    ['with its key id twice', () => sign(strange, { header: { kid: 'one,one' } })],
    ['with a NUL after its key id', () => sign(strange, { header: { kid: 'one\0' } })],
    ['with a list as key id', () => sign(strange, { header: { kid: ['one'] } })],
    ['of type JWE', () => sign(rsa, { header: { typ: 'JWE' } })],
    ['of a type that is a number', () => sign(rsa, { header: { typ: 1 } })],
    ['of a type that begins like the expected type', () => sign(rsa, { header: { typ: 'JWTs' } })],
    [
      'with a signature in another encoding of its curve',
      async () => {
        const input = (await sign(ec)).split('.').slice(0, 2).join('.');
        const der = signBytes('sha256', Buffer.from(input), { key: KeyObject.from(ec.privateKey), dsaEncoding: 'der' });
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
    ['of one segment', async () => 'abc'],
    ['of two segments', async () => 'abc.def'],
    ['of four segments', async () => `${await sign(rsa)}.AA`],
    ['of five segments, as if encrypted', async () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`],
    ['of three empty segments', async () => '..'],
  ];

  it.each(WRONG)('rejects a token %s without giving the reason', async (_case, make) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk, ec.jwk]), requiredClaims: ['tenant'] });
    const token = (await make()).replace(/=+$/, '');
    await expect(gateway.by(token)).rejects.toEqual(INVALID_TOKEN);
  });

  it('covers at least 80 cases', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(80);
  });

  it.each([
    ['a token of 100 KB', () => `Bearer ${'a'.repeat(100_000)}`],
    ['letters outside ASCII', () => 'Bearer тoken'],
    ['two tokens joined by a comma', () => 'Bearer a.b.c, Bearer a.b.c'],
    ['a token with a line break', () => 'Bearer a.b\n.c'],
    ['a token with a space in it', () => 'Bearer a.b .c'],
    ['a token with a tab before it', () => 'Bearer \ta.b.c'],
    ['the scheme twice', () => 'Bearer Bearer a.b.c'],
    ['a token in quotes', () => 'Bearer "a.b.c"'],
    ['a token percent-encoded', () => 'Bearer a%2Eb%2Ec'],
    ['a token with padding inside', () => 'Bearer a=.b.c'],
  ])('does not read %s as a token', async (_case, header) => {
    await using gateway = start({ jwksFile: await keyFile([rsa.jwk]) });
    await expect(gateway.authenticate({ authorization: header() })).rejects.toEqual(UNREADABLE);
  });

  it('rejects tokens that one issuer signs for another, and accepts its own tokens', async () => {
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
