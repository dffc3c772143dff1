import { describe, expect, it } from '@jest/globals';
import { proofOf, signIdentity } from '../../support/identity/sign-identity.ts';
import { describeOnSubgraphs } from '../../support/stack/subgraphs-stack.ts';

const BODY = '{"query":"{ me { id } }"}';

describeOnSubgraphs('the identity of the caller', (stack) => {
  const send = async (identity: string | undefined, body: string = BODY) => {
    const headers = { 'content-type': 'application/json', ...(identity === undefined ? {} : { 'gatefold-identity': identity }) };
    const response = await fetch(stack().subgraphs.users.url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const right = (change: Partial<Parameters<typeof signIdentity>[0]> = {}) =>
    signIdentity({ secret: stack().identitySecret, audience: 'users', body: BODY, kind: 'user', sub: '7', ...change });
  const now = () => Math.floor(Date.now() / 1_000);
  const swapped = (header: string, position: number) => {
    const other = header[position] === 'A' ? 'B' : 'A';
    return header.slice(0, position) + other + header.slice(position + 1);
  };

  /** Returns a header with the given token and a proof that matches it. */
  const proven = (token: string, secret = stack().identitySecret) =>
    `${token}.${proofOf({ secret, audience: 'users', token, body: BODY })}`;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = (header: string) => header.slice(0, header.lastIndexOf('.'));

  describe('forged', () => {
    it.each<[string, () => string | undefined]>([
      ['no header', () => undefined],
      ['an empty header', () => ''],
      ['text that is not a token', () => 'let me in'],
      ['only dots', () => '...'],
      ['a header of 10,000 characters', () => `${right()}${'A'.repeat(10_000)}`],
      ['a token without a proof', () => tokenOf(right())],
      ['an empty proof', () => `${tokenOf(right())}.`],
      ['the proof of another body', () => right({ body: '{"query":"{ __typename }"}' })],
      ['the proof of an empty body', () => right({ body: '' })],
      ['a proof with one character changed', () => swapped(right(), right().length - 5)],
      ['a proof with padding', () => `${right()}=`],
      ['a proof with an invalid character that decoders ignore', () => `${right().slice(0, -4)}!${right().slice(-4)}`],
      ['a token with one character changed, and its proof', () => proven(swapped(tokenOf(right()), 30))],
      ['a signature with one character changed, and its proof', () => proven(swapped(tokenOf(right()), tokenOf(right()).length - 5))],
      ['another secret', () => right({ secret: 'x'.repeat(64) })],
      ['another secret for the token only', () => proven(tokenOf(right({ secret: 'x'.repeat(64) })))],
      ['another subgraph', () => right({ audience: 'posts' })],
      ['another subgraph in the token only', () => right({ claims: { aud: 'posts' } })],
      ['no subgraph', () => right({ claims: { aud: undefined } })],
      ['another issuer', () => right({ claims: { iss: 'somebody' } })],
      ['no issuer', () => right({ claims: { iss: undefined } })],
      ['an expired token', () => right({ claims: { iat: now() - 70, exp: now() - 10 } })],
      ['a token that is valid from tomorrow', () => right({ claims: { iat: now() + 86_400, exp: now() + 86_460 } })],
      ['a token that lives for an hour', () => right({ claims: { exp: now() + 3_600 } })],
      ['a token without an expiry', () => right({ claims: { exp: undefined } })],
      ['a token without an issue time', () => right({ claims: { iat: undefined } })],
      ['an expiry that is text', () => right({ claims: { exp: String(now() + 60) } })],
      ['no kind', () => right({ claims: { kind: undefined } })],
      ['an unknown kind', () => right({ claims: { kind: 'root' } })],
      ['a user without an id', () => right({ sub: '' })],
      ['an id that is a number', () => right({ claims: { sub: 7 } })],
      ['roles that are text', () => right({ claims: { roles: 'ADMIN' } })],
      ['the algorithm none', () => right({ algorithm: 'none' })],
      [
        'the algorithm none, without a signature',
        () =>
          proven(
            `${encode({ alg: 'none' })}.${encode({ iss: 'gatefold', aud: 'users', kind: 'user', sub: '1', iat: now(), exp: now() + 60 })}.`,
          ),
      ],
      ['the algorithm HS512 by name', () => right({ algorithm: 'HS512' })],
      ['the algorithm RS256 by name', () => right({ algorithm: 'RS256' })],
    ])('returns 401 and reads nothing for %s', async (_what, make) => {
      const statements = await stack().statementsOf(async () => {
        const { status, text } = await send(make());
        expect([status, JSON.parse(text)]).toEqual([401, { errors: [{ message: expect.stringContaining('gatefold-identity') }] }]);
        expect(text).not.toContain('data');
      });
      expect(statements).toEqual([]);
    });

    it('returns 401 for a valid header with another body', async () => {
      const header = right();
      expect((await send(header)).status).toBe(200);
      expect((await send(header, '{"query":"{ me { name } }"}')).status).toBe(401);
    });
  });

  describe('valid', () => {
    it('accepts one token with proofs for two bodies', async () => {
      const token = tokenOf(right());
      const other = '{"query":"{ me { id version } }"}';
      expect(await send(proven(token))).toEqual({ status: 200, text: '{"data":{"me":{"id":"7"}}}\n' });
      const { text } = await send(`${token}.${proofOf({ secret: stack().identitySecret, audience: 'users', token, body: other })}`, other);
      expect(JSON.parse(text)).toMatchObject({ data: { me: { id: '7' } } });
    });

    it('ignores the roles of an anonymous caller', async () => {
      const body = '{"query":"{ user(id: \\"1\\") { email } }"}';
      const { text } = await send(right({ body, kind: 'anonymous', sub: '1', roles: ['ADMIN'] }), body);
      expect(JSON.parse(text)).toMatchObject({ data: { user: { email: null } }, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    });
  });
});
