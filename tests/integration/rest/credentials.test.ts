import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { expectJson, expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { signToken } from '../../support/identity/tokens.ts';

describeOnStack('credentials', ({ http, graphql, token, tokens, developmentKey }) => {
  const now = Math.floor(Date.now() / 1_000);
  const key = developmentKey;
  const unsigned = () =>
    `${signToken({ sub: '1' }, { key, header: { alg: 'none' } })
      .split('.')
      .slice(0, 2)
      .join('.')}.`;
  const altered = () => {
    const [header, , signature] = tokens.user2.split('.');
    return [header, tokens.user1.split('.')[1], signature].join('.');
  };

  const INVALID: readonly (readonly [string, () => string])[] = [
    ['no token at all', () => 'Bearer'],
    ['an empty token', () => 'Bearer '],
    ['a malformed token', () => 'Bearer nonsense'],
    ['three empty parts', () => 'Bearer ..'],
    ['a token that another key has signed', () => `Bearer ${signToken({ sub: '1' }, { key: 'k'.repeat(64) })}`],
    ['an expired token', () => `Bearer ${token({ sub: '1', exp: now - 3_600 })}`],
    ['a token without an expiry', () => `Bearer ${token({ sub: '1', exp: undefined })}`],
    ['a token whose expiry is text', () => `Bearer ${token({ sub: '1', exp: 'never' })}`],
    ['a token that is not valid yet', () => `Bearer ${token({ sub: '1', nbf: now + 3_600 })}`],
    ['a token for another audience', () => `Bearer ${token({ sub: '1', aud: 'another-service' })}`],
    ['a token of another issuer', () => `Bearer ${token({ sub: '1', iss: 'somebody' })}`],
    ['a token without a signature', () => `Bearer ${unsigned()}`],
    ['a token with an altered payload', () => `Bearer ${altered()}`],
    ['a token with another algorithm in its header', () => `Bearer ${signToken({ sub: '1' }, { key, header: { alg: 'HS512' } })}`],
    [
      'a token with an unknown critical extension',
      () => `Bearer ${signToken({ sub: '1' }, { key, header: { alg: 'HS256', crit: ['x'], x: 1 } })}`,
    ],
    ['two tokens', () => `Bearer ${tokens.user1} ${tokens.user1}`],
    ['two tokens with a comma', () => `Bearer ${tokens.user1}, Bearer ${tokens.admin}`],
    ['an unknown scheme', () => `Negotiate ${tokens.user1}`],
    ['a token without a scheme', () => tokens.user1],
    ['a very long token', () => `Bearer ${'a'.repeat(7_000)}`],
    ['__proto__ as scheme', () => '__proto__ x'],
  ];

  it.each(INVALID)('returns 401 for a public resource when the caller sends %s', async (_title, value) => {
    expectError(await http.get('/books/1', { headers: { authorization: value() } }), 401, 'UNAUTHENTICATED');
  });

  it.each(INVALID)('returns 401 for GraphQL when the caller sends %s', async (_title, value) => {
    const response = await graphql('{ book(id: "1") { title } }', { headers: { authorization: value() } });
    expect({ status: response.status, codes: response.codes }).toEqual({ status: 401, codes: ['UNAUTHENTICATED'] });
    expect(response.headers['www-authenticate']).toMatch(/^Bearer\b/);
    expect(response.data ?? null).toBeNull();
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('accepts the scheme %j in any letter case', async (scheme) => {
    expectJson(await http.get('/users/1/orders', { headers: { authorization: `${scheme} ${tokens.user1}` } }), 200);
  });

  it('ignores identity headers without a token', async () => {
    const headers = {
      'x-user-id': '1',
      'x-user-roles': 'ADMIN',
      'x-internal-user': '1',
      'x-forwarded-user': '1',
      'gatefold-identity': tokens.admin,
      'x-correlation-id': 'one',
    };
    expectError(await http.get('/users/1/orders', { headers }), 401, 'UNAUTHENTICATED');
    expectError(await http.get('/users/2/orders', { headers, token: tokens.user1 }), 403, 'FORBIDDEN');
  });

  it.each([['admin'], ['Admin'], ['ADMINISTRATOR'], [' ADMIN'], ['USER,ADMIN']])(
    'returns 403 for an administrator resource with the role %j',
    async (role) => {
      expectError(await http.get('/orders', { token: token({ sub: '5', roles: [role] }) }), 403, 'FORBIDDEN');
    },
  );

  it('grants no permissions for malformed roles', async () => {
    for (const roles of [{ ADMIN: true }, 7, null, [['ADMIN']], [{ name: 'ADMIN' }]]) {
      const response = await http.get('/orders', { token: token({ sub: '5', roles }) });
      expect({ roles, rejected: response.status === 401 || response.status === 403 }).toEqual({ roles, rejected: true });
    }
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 1],
    ['null', null],
    ['an object', { id: 1 }],
  ])('does not authorize user 1 when the subject is %s', async (_title, sub) => {
    const response = await http.get('/users/1/orders', { token: token({ sub }) });
    expect([401, 403]).toContain(response.status);
  });

  it.each(["1' OR '1'='1", '1 ', ' 1', '01', '1.0', '1\u0000', '１', '*', '%', '1,2', 'null'])(
    'does not authorize user 1 for the subject %j',
    async (sub) => {
      const response = await http.get('/users/1/orders', { token: token({ sub }) });
      expect([401, 403]).toContain(response.status);
    },
  );

  it('returns no server error when the subject of an order is unknown', async () => {
    for (const sub of ['999999999', 'somebody', '9'.repeat(30), 'x'.repeat(2_000), '\u{1f4a9}']) {
      const response = await http.post('/orders', { productId: 1, qty: 1 }, { token: token({ sub }) });
      expect({ sub: sub.slice(0, 20), ours: response.status >= 500 }).toEqual({ sub: sub.slice(0, 20), ours: false });
    }
  });

  it('returns 401 without reading the body when credentials are missing', async () => {
    expectError(
      await http.send({
        method: 'POST',
        path: '/payments',
        body: '{',
        headers: { 'content-type': 'text/plain', 'idempotency-key': randomUUID() },
      }),
      401,
      'UNAUTHENTICATED',
    );
  });
});
