import { describe, expect, it } from '@jest/globals';
import { expectError, MOUNTS, type Page, type RestOrder } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const V2 = 'application/vnd.gatefold.v2+json';

interface OrderV2 extends Omit<RestOrder, 'qty'> {
  readonly quantity: number;
}

describeOnStack('versions of resources', ({ http, tokens, newUser, newOrder }) => {
  const token = tokens.admin;

  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    it.each<[string, string, string | undefined, readonly [number, string]]>([
      ['different versions in path and query', '/v1/orders/1?version=2', undefined, [400, 'VERSION_CONFLICT']],
      ['different versions in path and media type', '/v1/orders/1', V2, [400, 'VERSION_CONFLICT']],
      ['different versions in query and media type', '/orders/1?version=1', V2, [400, 'VERSION_CONFLICT']],
      ['an unknown version in the path', '/v9/orders/1', undefined, [404, 'NOT_FOUND']],
      ['an empty version in the path', '/v/orders/1', undefined, [404, 'NOT_FOUND']],
      ['a version with a leading zero', '/v02/orders/1', undefined, [404, 'NOT_FOUND']],
      ['a version after the resource', '/orders/v2/1', undefined, [404, 'NOT_FOUND']],
      ['an unknown version in the query', '/orders/1?version=9', undefined, [400, 'INVALID_PARAMETER']],
      ['a version that is not a number', '/orders/1?version=latest', undefined, [400, 'INVALID_PARAMETER']],
      ['the same version twice in the query', '/orders/1?version=2&version=2', undefined, [400, 'INVALID_PARAMETER']],
      ['an unknown version in the media type', '/orders/1', 'application/vnd.gatefold.v9+json', [406, 'NOT_ACCEPTABLE']],
      ['an unknown path and two versions', '/v1/nothing?version=2', undefined, [404, 'NOT_FOUND']],
    ])('rejects a request with %s', async (_title, path, accept, [status, code]) => {
      const response = await http.get(mount + path, accept === undefined ? {} : { headers: { accept } });
      expectError({ ...response, headers: { ...response.headers, 'content-type': 'application/json' } }, status, code);
      expect(response.headers['vary']).toContain('Accept');
    });

    it('lists the available versions when the parameter names an unknown one', async () => {
      expect((await http.get(`${mount}/books?version=3`)).body).toMatchObject({
        details: [{ field: 'version', message: '"version" must be one of 1, 2.' }],
      });
    });

    it('serves version 2 with `quantity` for every way to select it', async () => {
      const owner = await newUser();
      const id = String(await newOrder(owner, { qty: 3 }));
      const paths: readonly (readonly [string, string | undefined, string])[] = [
        [`/v2/orders/${id}`, undefined, 'application/json; charset=utf-8'],
        [`/orders/${id}?version=2`, undefined, 'application/json; charset=utf-8'],
        [`/orders/${id}`, V2, V2],
        [`/v2/orders/${id}?version=2`, V2, V2],
        [`/v2/orders/${id}`, 'application/vnd.gatefold+json', 'application/vnd.gatefold+json'],
        [`/orders/${id}`, `application/vnd.gatefold.v9+json, ${V2};q=0.5, application/json;q=0.1`, V2],
      ];
      for (const [path, accept, type] of paths) {
        const response = await http.get<OrderV2>(mount + path, { token: owner.token, headers: accept === undefined ? {} : { accept } });
        expect({ path, status: response.status, body: response.body }).toMatchObject({ path, status: 200, body: { quantity: 3 } });
        expect(response.body).not.toHaveProperty('qty');
        expect(response.headers).toMatchObject({ 'api-version': '2', 'content-type': type });
        expect(response.headers).not.toHaveProperty('deprecation');
      }
    });

    it('serves version 1 by default, with its deprecation, sunset and successor', async () => {
      const owner = await newUser();
      const id = String(await newOrder(owner, { qty: 3 }));
      for (const path of [`/orders/${id}`, `/v1/orders/${id}`, `/orders/${id}?version=1`]) {
        const { body, headers } = await http.get<RestOrder>(mount + path, { token: owner.token });
        expect(body.qty).toBe(3);
        expect(body).not.toHaveProperty('quantity');
        expect(headers).toMatchObject({
          'api-version': '1',
          deprecation: `@${String(Date.UTC(2026, 10, 22) / 1_000)}`,
          sunset: 'Thu, 31 Dec 2099 23:59:59 GMT',
        });
        const links = String(headers['link']);
        expect(links).toMatch(/<[^>]+>; rel="deprecation", <[^>]+>; rel="sunset"/);
        const successor = /<([^>]+)>; rel="successor-version"/.exec(links)?.[1];
        expect((await http.get<OrderV2>(String(successor), { token: owner.token })).body.quantity).toBe(3);
      }
    });

    it('sends the deprecation of a version with errors', async () => {
      expect((await http.get(`${mount}/orders/1`)).headers).toMatchObject({ 'api-version': '1', deprecation: expect.anything() });
      expect((await http.get(`${mount}/v2/orders/1`)).headers).not.toHaveProperty('deprecation');
    });

    it('a page of version 1 has links to other pages and to its successor', async () => {
      const { headers } = await http.get<Page<RestOrder>>(`${mount}/orders?size=2`, { token });
      expect(String(headers['link'])).toMatch(/rel="next".*rel="successor-version"/);
    });

    it('an unchanged resource is the same in both versions', async () => {
      const [one, two] = await Promise.all([http.get(`${mount}/v1/books/1`), http.get(`${mount}/v2/books/1`)]);
      expect(two.text).toBe(one.text);
      expect([one.headers['api-version'], two.headers['api-version']]).toEqual(['1', '2']);
    });

    it.each<[string, string, (id: string) => string]>([
      ['/v2/orders', '', (id) => `/v2/orders/${id}`],
      ['/orders', '?version=2', (id) => `/orders/${id}?version=2`],
      ['/v2/orders', '?version=2', (id) => `/v2/orders/${id}?version=2`],
    ])('POST %s%s returns a Location that selects the version in the same way', async (path, query, address) => {
      const { token: own } = await newUser();
      const response = await http.post<OrderV2>(mount + path + query, { productId: 3, quantity: 2 }, { token: own });
      expect({ status: response.status, body: response.body }).toMatchObject({ status: 201, body: { productId: 3, quantity: 2 } });
      expect(response.headers['location']).toBe(mount + address(String(response.body.id)));
      expect((await http.get(String(response.headers['location']), { token: own })).body).toEqual(response.body);
    });

    it('page links of version 2 stay in version 2', async () => {
      for (const path of ['/v2/orders?size=2', '/orders?size=2&version=2']) {
        const { headers } = await http.get(mount + path, { token });
        const next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1];
        const page = await http.get<Page<OrderV2>>(String(next), { token });
        expect(page.headers['api-version']).toBe('2');
        expect(page.body.data.every(({ quantity }) => quantity > 0)).toBe(true);
      }
    });
  });

  it.each<[string, unknown, string, string]>([
    ['/v1/orders', { productId: 1, quantity: 1 }, 'quantity', '"quantity" is not a known field; the allowed fields are productId, qty.'],
    ['/v2/orders', { productId: 1, qty: 1 }, 'qty', '"qty" is not a known field; the allowed fields are productId, quantity.'],
    ['/v2/orders', { productId: 1 }, 'quantity', '"quantity" is required.'],
    ['/v2/orders', { productId: 1, quantity: '1' }, 'quantity', '"quantity" must be an integer from -2147483648 to 2147483647.'],
  ])('POST %s with %j reports the field by its name in that version', async (path, json, field, message) => {
    const response = await http.post<{ details: unknown[] }>(path, json, { token });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.details).toContainEqual({ field, message });
  });

  it.each([
    ['/v1/orders', { productId: 1, qty: 1_001 }, 'qty'],
    ['/v2/orders', { productId: 1, quantity: 1_001 }, 'quantity'],
  ])('POST %s with a value that the subgraph rejects names the field %s', async (path, json, field) => {
    const response = await http.post(path, json, { token });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body).toMatchObject({ details: [{ field }] });
  });

  it('changing, replacing and selecting fields in version 2 uses its field names', async () => {
    const owner = await newUser();
    const path = `/v2/orders/${String(await newOrder(owner))}`;
    const send = (method: string, json: unknown, query = '') => http.send({ method, path: path + query, json, token: owner.token });
    expect((await send('PATCH', { quantity: 5 })).body).toMatchObject({ quantity: 5 });
    expect((await send('PUT', { productId: 2, quantity: 6 })).body).toMatchObject({ productId: 2, quantity: 6 });
    expect((await http.get(`${path}?fields=quantity`, { token: owner.token })).body).toEqual({ quantity: 6 });
    expectError(await http.get(`${path}?fields=qty`, { token: owner.token }), 400, 'INVALID_PARAMETER');
    expect((await http.send({ method: 'DELETE', path, token: owner.token })).status).toBe(204);
  });

  it('Allow and OPTIONS list the methods of the requested version', async () => {
    const rejected = await http.send({ method: 'POST', path: '/v2/orders/1' });
    expectError(rejected, 405, 'METHOD_NOT_ALLOWED');
    const options = await http.send({ method: 'OPTIONS', path: '/v2/orders/1' });
    expect({ status: options.status, version: options.headers['api-version'] }).toEqual({ status: 204, version: '2' });
    expect(rejected.headers['allow']).toBe(options.headers['allow']);
  });
});
