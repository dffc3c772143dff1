import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';

describeOnStack('point 17: a failed If-Match', ({ http, graphql, tokens, newUser, newOrder }) => {
  it('returns the current entity tag over REST, with which the next write succeeds', async () => {
    const owner = await newUser();
    const path = `/orders/${await newOrder(owner)}`;
    const stale = String((await http.get(path, { token: owner.token })).headers['etag']);
    await http.send({ method: 'PATCH', path, json: { qty: 3 }, token: owner.token });
    const current = (await http.get(path, { token: owner.token })).headers['etag'];
    for (const request of [
      { method: 'PATCH', json: { qty: 4 } },
      { method: 'PUT', json: { productId: 1, qty: 4 } },
      { method: 'DELETE' },
    ]) {
      const failed = await http.send({ ...request, path, token: owner.token, headers: { 'if-match': stale } });
      expect([failed.status, failed.headers['etag']]).toEqual([412, current]);
    }
    const again = { method: 'PATCH', path, json: { qty: 4 }, token: owner.token, headers: { 'if-match': String(current) } };
    expect((await http.send(again)).status).toBe(200);
  });

  it('returns the current version in a field of the user errors', async () => {
    const query = `mutation { updateBook(id: 3, patch: {}, expectedVersion: 999) { errors { code currentVersion } } }`;
    const { data } = await graphql<{ updateBook: { errors: readonly object[] } }>(query, { token: tokens.admin });
    expect(data?.updateBook.errors).toEqual([{ code: 'VERSION_MISMATCH', currentVersion: expect.any(Number) }]);
  });
});
