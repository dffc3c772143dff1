import { describe, it } from '@jest/globals';
import { expectJson, expectError, MOUNTS } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface QueryResult {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests that only administrators may send, each with invalid input. */
const ADMIN_ONLY: readonly (readonly [string, QueryResult])[] = [
  ['a body that is not JSON', { method: 'POST', path: '/books', body: '{' }],
  ['a body of the wrong type', { method: 'POST', path: '/books', body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['an empty body', { method: 'POST', path: '/books', json: {} }],
  ['an unknown field', { method: 'POST', path: '/books', json: { title: 'A', author: 'B', price: 1, magic: true } }],
  ['an unknown parameter', { method: 'POST', path: '/books?magic=1', json: { title: 'A', author: 'B', price: 1 } }],
  [
    'an invalid idempotency key',
    { method: 'POST', path: '/books', json: { title: 'A', author: 'B', price: 1 }, headers: { 'idempotency-key': '' } },
  ],
  ['an unknown book', { method: 'PATCH', path: '/books/999999999', json: { title: 'A' } }],
  ['an invalid ID in PUT', { method: 'PUT', path: '/books/abc', json: { title: 'A', author: 'B', price: 1 } }],
  ['an invalid ID in DELETE', { method: 'DELETE', path: '/books/abc' }],
  ['an unavailable response type', { method: 'DELETE', path: '/books/1', headers: { accept: 'text/html' } }],
];

describeOnStack('authorization before input validation', ({ http, tokens }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const send = ({ path, ...rest }: QueryResult, token?: string) =>
      http.send({ ...rest, path: `${mount}${path}`, ...(token === undefined ? {} : { token }) });

    it.each(ADMIN_ONLY)('%s returns 401 for an anonymous caller', async (_case, requested) => {
      expectError(await send(requested), 401, 'UNAUTHENTICATED');
    });

    it.each(ADMIN_ONLY)('%s returns 403 for a user', async (_case, requested) => {
      expectError(await send(requested, tokens.user1), 403, 'FORBIDDEN');
    });

    it('reports an invalid parameter before it checks the owner of a list', async () => {
      expectError(await send({ method: 'GET', path: '/users/2/orders?size=x' }, tokens.user1), 400, 'INVALID_PARAMETER');
      expectError(await send({ method: 'GET', path: '/users/2/orders' }, tokens.user1), 403, 'FORBIDDEN');
    });

    it('rejects a private field that is named, and omits one that is not', async () => {
      expectError(await send({ method: 'GET', path: '/users/1?fields=name,email' }), 401, 'UNAUTHENTICATED');
      expectError(await send({ method: 'GET', path: '/users/1?fields=name,email' }, tokens.user2), 403, 'FORBIDDEN');
      expectJson(await send({ method: 'GET', path: '/users/1?fields=name,email' }, tokens.user1), 200);
      expectJson(await send({ method: 'GET', path: '/users/1?fields=name' }), 200);
      expectJson(await send({ method: 'GET', path: '/users/1' }), 200);
    });
  });

  it('reports invalid input to an administrator', async () => {
    const asAdmin = (requested: QueryResult) => http.send({ ...requested, token: tokens.admin });
    expectError(await asAdmin({ method: 'POST', path: '/books', json: {} }), 400, 'BAD_USER_INPUT');
    expectError(await asAdmin({ method: 'DELETE', path: '/books/abc' }), 404, 'NOT_FOUND');
    expectError(await asAdmin({ method: 'PATCH', path: '/books/999999999', json: { title: 'A' } }), 404, 'NOT_FOUND');
  });
});
