import { describe, expect, it } from '@jest/globals';
import { MOUNTS, expectJson, expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const ENVELOPE = 'application/vnd.gatefold.envelope+json';
const PROBLEM = 'application/json, application/problem+json';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describeOnStack('error responses', ({ http, tokens, newUser, newOrder }) => {
  /** Requests that are rejected before the resource or the operation is determined. */
  const EARLY: readonly (readonly [string, { readonly method?: string; readonly path: string }, number, string])[] = [
    ['an unknown path', { path: '/nothing' }, 404, 'NOT_FOUND'],
    ['a path that is too long', { path: `/books?x=${'x'.repeat(9_000)}` }, 414, 'URI_TOO_LONG'],
    ['a path that is malformed', { path: '/books/%zz' }, 400, 'BAD_REQUEST'],
    ['an unsupported method', { method: 'PUT', path: '/books' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a secret in the URL', { path: '/books?access_token=x' }, 400, 'BAD_REQUEST'],
  ];

  it.each(EARLY)('%s returns a nested error when the client accepts the envelope', async (_title, request, status, code) => {
    const response = await http.send({ ...request, headers: { accept: ENVELOPE, 'x-correlation-id': 'trace-1' } });
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({ status, type: ENVELOPE });
    expect(response.body).toMatchObject({ error: { code, message: expect.any(String), requestId: 'trace-1' } });
    expect(response.headers['vary']).toMatch(/^Accept\b/);
  });

  it.each(EARLY)('%s returns problem details when the client accepts them', async (_title, request, status, code) => {
    const response = await http.send({ ...request, headers: { accept: PROBLEM } });
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({ status, type: 'application/problem+json' });
    expect(response.body).toMatchObject({ type: 'about:blank', status, code, detail: expect.any(String) });
  });

  it('an unsupported media type returns 406 with a JSON body', async () => {
    for (const accept of ['text/html', 'image/*;q=1', 'application/json;q=0']) {
      expectError(await http.get('/books/1', { headers: { accept } }), 406, 'NOT_ACCEPTABLE');
    }
  });

  it('a client that accepts only problem details gets errors as such, and resources as JSON', async () => {
    const headers = { accept: 'application/problem+json' };
    const missing = await http.get('/books/999999999', { headers });
    expect({ status: missing.status, body: missing.body }).toMatchObject({ status: 404, body: { status: 404, code: 'NOT_FOUND' } });
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expectJson(await http.get('/books/1', { headers }), 200);
  });

  it('an error response has the trace ID of the request', async () => {
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'x-correlation-id': 'mine' };
    expect((await http.get('/nothing', { headers })).body).toMatchObject({ traceId: TRACE });
    expect((await http.get('/nothing', { headers: { ...headers, accept: ENVELOPE } })).body).toMatchObject({
      error: { requestId: 'mine' },
    });
    expect((await http.get('/nothing', { headers: { 'x-correlation-id': 'mine', traceparent: 'x' } })).body).toMatchObject({
      traceId: 'mine',
    });
  });

  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    it.each([
      ['an unknown parameter', '?fields=email&magic=1'],
      ['a user that does not exist', '?fields=email'],
    ])('returns 401 for a private field before it rejects %s', async (title, query) => {
      const path = title.includes('not') ? '/users/999999999' : '/users/1';
      expectError(await http.get(mount + path + query), 401, 'UNAUTHENTICATED');
    });

    it('validates field names before it checks authorization', async () => {
      expectError(await http.get(`${mount}/users/1?fields=email,colour`), 400, 'INVALID_PARAMETER');
      expectError(await http.get(`${mount}/users/999999999?fields=name`), 404, 'NOT_FOUND');
      expectJson(await http.get(`${mount}/users/1?fields=name`), 200);
    });
  });

  it('maps every business error to its status', async () => {
    const owner = await newUser();
    const path = `/orders/${String(await newOrder(owner))}`;
    const send = (method: string, json: unknown, token = owner.token) => http.send({ method, path, json, token });
    expectError(await send('PATCH', { qty: 0 }), 400, 'BAD_USER_INPUT');
    expectError(await send('PATCH', { qty: 1 }, (await newUser()).token), 403, 'FORBIDDEN');
    expectError(await http.get('/orders/999999999', { token: tokens.admin }), 404, 'NOT_FOUND');
    expectError(await send('PATCH', { status: 'SHIPPED' }, tokens.admin), 409, 'CONFLICT');
  });
});
