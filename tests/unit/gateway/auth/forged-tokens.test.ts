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
