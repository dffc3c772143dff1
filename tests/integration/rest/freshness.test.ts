import { describe, expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('Cache-Control of resources', ({ http, tokens, newUser }) => {
  describe('responses that must not be stored', () => {
    it('a 404 response has `no-store`', async () => {
      expect((await http.get('/books/999999999')).headers['cache-control']).toBe('no-store');
    });

    it('a payment has `no-store`, and still supports revalidation', async () => {
      const { token } = await newUser();
      const headers = { 'idempotency-key': 'freshness' };
      const { headers: made } = await http.post('/payments', { amount: 5, currency: 'EUR' }, { token, headers });
      const path = String(made['location']);
      const { status, headers: read } = await http.get(path, { token });
      expect({ status, freshness: read['cache-control'] }).toEqual({ status: 200, freshness: 'no-store' });
      const again = await http.get(path, { token, headers: { 'if-none-match': String(read['etag']) } });
      expect({ status: again.status, freshness: again.headers['cache-control'] }).toEqual({ status: 304, freshness: 'no-store' });
    });

    it('a resource with hidden private fields has `no-store`', async () => {
      const { status, headers } = await http.get('/users/1', { token: tokens.user2 });
      expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness: 'no-store' });
    });
  });

  it.each([
    ['/books/1', 'public, max-age=300'],
    ['/books', 'public, max-age=60'],
    ['/posts/1', 'public, max-age=60'],
    ['/posts?size=2', 'public, max-age=60'],
    ['/users/1?fields=id,name', 'public, max-age=60'],
    ['/users/1', 'public, max-age=60'],
    ['/users?size=2', 'public, max-age=60'],
  ])('%s without credentials is publicly cacheable, with Vary', async (path, freshness) => {
    const { status, headers } = await http.get(path);
    expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness });
    expect(headers['vary']).toContain('Accept, Accept-Encoding, Authorization, X-API-Key');
  });

  it('a public resource is privately cacheable when credentials are sent', async () => {
    const { headers } = await http.get('/books/1', { token: tokens.admin });
    expect(headers['cache-control']).toBe('private, max-age=300');
  });

  it('a resource without a policy is `private, no-cache`', async () => {
    const { status, headers } = await http.get('/orders/1', { token: tokens.admin });
    expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness: 'private, no-cache' });
  });
});
