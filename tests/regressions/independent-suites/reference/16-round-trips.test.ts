import { expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../../../support/stack/shared-stack.ts';

type Resource = Record<string, unknown>;

describeOnStack('point 16: GET, change, PUT', ({ http, tokens, newUser, newOrder }) => {
  it('rejects changed read-only members by name, and changes nothing', async () => {
    const owner = await newUser();
    const path = `/orders/${await newOrder(owner)}`;
    const { body: order } = await http.get<Resource>(path, { token: owner.token });
    const wrong = { ...order, qty: 5, total: 0.01, userId: 1, createdAt: null };
    for (const method of ['PUT', 'PATCH']) {
      const json = method === 'PUT' ? wrong : { qty: 5, total: 0.01, userId: 1, createdAt: null };
      const response = await http.send<Resource>({ method, path, json, token: owner.token });
      expect([response.status, response.body['error']]).toEqual([400, 'BAD_USER_INPUT']);
      const fields = (response.body['details'] as { field: string }[]).map(({ field }) => field);
      expect(fields.sort()).toEqual(['createdAt', 'total', 'userId']);
    }
    const unknown = await http.send<Resource>({ method: 'PUT', path, json: { ...order, colour: 'red' }, token: owner.token });
    expect([unknown.status, unknown.body['details']]).toEqual([400, [expect.objectContaining({ field: 'colour' })]]);
    expect((await http.get(path, { token: owner.token })).body).toEqual(order);
  });

  it.each(['', '/v2'])('accepts an order as it was read, with a change (%s)', async (mount) => {
    const owner = await newUser();
    const path = `${mount}/orders/${await newOrder(owner)}`;
    const quantity = mount === '' ? 'qty' : 'quantity';
    for (const [method, amount] of [
      ['PUT', 3],
      ['PATCH', 4],
    ] as const) {
      const read = await http.get<Resource>(path, { token: owner.token });
      const taken = method === 'PUT' ? read.body : Object.fromEntries(Object.entries(read.body).filter(([name]) => name !== 'productId'));
      const headers = { 'if-match': String(read.headers['etag']) };
      const response = await http.send<Resource>({ method, path, json: { ...taken, [quantity]: amount }, token: owner.token, headers });
      expect([response.status, response.body[quantity]]).toEqual([200, amount]);
    }
  });

  it('returns 412 and not 400 if the read-only members are those of an older version', async () => {
    const owner = await newUser();
    const path = `/orders/${await newOrder(owner)}`;
    const read = await http.get<Resource>(path, { token: owner.token });
    expect((await http.send({ method: 'PATCH', path, json: { qty: 9 }, token: owner.token })).status).toBe(200);
    const headers = { 'if-match': String(read.headers['etag']) };
    const response = await http.send({ method: 'PUT', path, json: { ...read.body, qty: 3 }, token: owner.token, headers });
    expect(response.status).toBe(412);
  });

  it('replays a PATCH with a key although it has changed the read-only members', async () => {
    const owner = await newUser();
    const path = `/orders/${await newOrder(owner)}`;
    const { body } = await http.get<Resource>(path, { token: owner.token });
    const request = {
      method: 'PATCH',
      path,
      json: { qty: 7, total: body['total'] },
      token: owner.token,
      headers: { 'idempotency-key': uniqueName('round-trip') },
    };
    const [first, second] = [await http.send(request), await http.send(request)];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
  });

  it('accepts users and books as they were read, and no member that the caller cannot read', async () => {
    const user = await newUser();
    const { body: own } = await http.get<Resource>(`/users/${user.id}`, { token: user.token });
    const renamed = { ...own, name: 'Renamed' };
    expect((await http.send({ method: 'PATCH', path: `/users/${user.id}`, json: renamed, token: user.token })).status).toBe(200);
    const { body: book } = await http.get<Resource>('/books/1', { token: tokens.admin });
    expect((await http.send({ method: 'PUT', path: '/books/1', json: book, token: tokens.admin })).status).toBe(200);
    const other = { method: 'PATCH', path: '/users/1', json: { ...own, id: 1 }, token: user.token };
    expect([400, 403]).toContain((await http.send(other)).status);
  });
});
