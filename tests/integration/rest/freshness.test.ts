import { describe, expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('how long resources may be kept', ({ http, tokens, newUser }) => {
  describe('what nobody may keep', () => {
    it('given a resource that is not there, when asked for, then nobody keeps the refusal', async () => {
      expect((await http.get('/books/999999999')).headers['cache-control']).toBe('no-store');
    });

    it('given a payment, when its owner reads it, then nobody keeps it, and what is remembered of it can still be held against it', async () => {
      const { token } = await newUser();
      const headers = { 'idempotency-key': 'freshness' };
      const { headers: made } = await http.post('/payments', { amount: 5, currency: 'EUR' }, { token, headers });
      const path = String(made['location']);
      const { status, headers: read } = await http.get(path, { token });
      expect({ status, freshness: read['cache-control'] }).toEqual({ status: 200, freshness: 'no-store' });
      const again = await http.get(path, { token, headers: { 'if-none-match': String(read['etag']) } });
      expect({ status: again.status, freshness: again.headers['cache-control'] }).toEqual({ status: 304, freshness: 'no-store' });
    });

    it('given fields that one may not see, when asked for, then nobody keeps what is left', async () => {
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
  ])('given %s, when asked for without credentials, then everybody may keep it, by what it varies', async (path, freshness) => {
    const { status, headers } = await http.get(path);
    expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness });
    expect(headers['vary']).toContain('Accept, Accept-Encoding, Authorization, X-API-Key');
  });

  it('given credentials, when something public is asked for, then only whoever asked keeps it', async () => {
    const { headers } = await http.get('/books/1', { token: tokens.admin });
    expect(headers['cache-control']).toBe('private, max-age=300');
  });

  it('given what has no policy, when asked for, then whoever asked checks it each time', async () => {
    const { status, headers } = await http.get('/orders/1', { token: tokens.admin });
    expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness: 'private, no-cache' });
  });
});
