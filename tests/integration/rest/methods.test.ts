import { describe, expect, it } from '@jest/globals';
import type { HttpResponse } from '../../support/http/http-client.ts';
import { expectError, MOUNTS } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

/** Methods of each path of the endpoint table. */
const SERVED: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/users', ['GET']],
  ['/users/1', ['GET']],
  ['/users/1/orders', ['GET']],
  ['/orders', ['GET', 'POST']],
  ['/orders/1', ['GET', 'PATCH', 'PUT', 'DELETE']],
  ['/payments', ['POST']],
  ['/payments/1', ['GET']],
  ['/books', ['GET', 'POST']],
  ['/books/1', ['GET']],
];

/** Methods that no resource may support. Methods beyond the table that a resource may support are left to the tests of that resource. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  '/users': ['PUT', 'PATCH', 'DELETE'],
  '/users/1': ['POST'],
  '/users/1/orders': ['PUT', 'PATCH', 'DELETE'],
  '/orders': ['PUT', 'PATCH', 'DELETE'],
  '/orders/1': ['POST'],
  '/payments': ['GET', 'PUT', 'PATCH', 'DELETE'],
  '/payments/1': ['POST', 'PUT', 'PATCH', 'DELETE'],
  '/books': ['PUT', 'PATCH', 'DELETE'],
  '/books/1': ['POST'],
};

const allowed = (header: string | undefined) => new Set(header?.split(', '));

/** Returns the headers except those of the time: the response to the second request can come from the cache, and then has an age. */
const withoutTime = ({ headers: { date: _date, age: _age, ...headers } }: HttpResponse) => headers;

describeOnStack('methods', ({ http, tokens }) => {
  /**
   * Requests HEAD and GET together. Other tests add and delete list items in between, so the requests are repeated when the results differ.
   */
  async function requestBoth(path: string, attemptsLeft = 5): Promise<{ readonly head: HttpResponse; readonly get: HttpResponse }> {
    const request = (method: string): Promise<HttpResponse> =>
      http.send({ method, path, token: tokens.admin, headers: { 'x-correlation-id': 'same' } });
    const [head, get] = await Promise.all([request('HEAD'), request('GET')]);
    return head.headers['etag'] === get.headers['etag'] || attemptsLeft === 1 ? { head, get } : requestBoth(path, attemptsLeft - 1);
  }

  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    it.each(SERVED)('%s returns 405 with Allow for an unsupported method', async (path, methods) => {
      for (const method of [...(NEVER[path] ?? []), 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'LOCK']) {
        const response = await http.send({ method, path: `${mount}${path}`, token: tokens.admin });
        if (response.status === 501) continue; // No resource supports this method.
        expectError(response, 405, 'METHOD_NOT_ALLOWED');
        const names = allowed(response.headers['allow']);
        expect([...names]).toEqual(expect.arrayContaining([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']));
        expect(names.has(method)).toBe(false);
      }
    });

    it.each(SERVED)('%s returns 204 with Allow for OPTIONS', async (path, methods) => {
      const response = await http.send({ method: 'OPTIONS', path: `${mount}${path}` });
      expect({ status: response.status, length: response.bytes.length }).toEqual({ status: 204, length: 0 });
      expect([...allowed(response.headers['allow'])]).toEqual(expect.arrayContaining([...methods, 'OPTIONS']));
    });

    it.each(['/users', '/users/1', '/books', '/books/1', '/orders/1', '/payments/1', '/users/1/orders', '/orders'])(
      'HEAD %s returns the status and headers of GET without a body',
      async (path) => {
        const { head, get } = await requestBoth(`${mount}${path}`);
        expect(head.status).toBe(get.status);
        expect(head.bytes).toHaveLength(0);
        expect(withoutTime(head)).toEqual(withoutTime(get));
      },
    );

    it('HEAD returns 404 without a body for an unknown ID', async () => {
      const response = await http.send({ method: 'HEAD', path: `${mount}/books/999999999` });
      expect({ status: response.status, length: response.bytes.length }).toEqual({ status: 404, length: 0 });
    });
  });
});
