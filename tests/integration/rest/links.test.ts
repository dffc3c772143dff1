import { describe, expect, it } from '@jest/globals';
import { MOUNTS } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const headers = { accept: 'application/vnd.gatefold.links+json' };

interface Linked {
  readonly _links: Readonly<Record<string, { readonly href: string; readonly method?: string }>>;
}

describeOnStack('links between resources', ({ http, tokens, newUser, newOrder }) => {
  const linksOf = async (path: string, token?: string) => (await http.get<Linked>(path, { headers, token })).body._links;

  it('administrator actions are links for administrators only', async () => {
    for (const token of [undefined, tokens.user1]) expect(Object.keys(await linksOf('/books/1', token))).toEqual(['self']);
    expect(await linksOf('/books/1', tokens.admin)).toEqual({
      self: { href: '/books/1' },
      edit: { href: '/books/1', method: 'PATCH' },
      delete: { href: '/books/1', method: 'DELETE' },
    });
  });

  it('actions that require credentials are no links for anonymous callers', async () => {
    expect(Object.keys(await linksOf('/users/1'))).toEqual(['self']);
    expect(await linksOf('/users/1', tokens.user1)).toEqual({ self: { href: '/users/1' }, orders: { href: '/users/1/orders' } });
  });

  it('an order has a cancel link while its status allows the cancellation', async () => {
    const owner = await newUser();
    const path = `/orders/${String(await newOrder(owner, { productId: 4 }))}`;
    const move = (status: string) => http.send<Linked>({ method: 'PATCH', path, json: { status }, headers, token: tokens.admin });
    const always = { self: { href: path }, user: { href: `/users/${String(owner.id)}` }, product: { href: '/books/4' } };
    const cancel = { href: path, method: 'DELETE' };
    expect(await linksOf(path, owner.token)).toEqual({ ...always, cancel });
    expect((await move('CONFIRMED')).body._links).toEqual({ ...always, cancel });
    expect((await move('SHIPPED')).body._links).toEqual(always);
    expect((await http.send({ method: 'DELETE', path, token: owner.token })).status).toBe(409);
  });

  it('a created order has a self link equal to Location', async () => {
    const { token } = await newUser();
    const response = await http.post<Linked>('/api/v2/orders?fields=status', { productId: 1, quantity: 1 }, { headers, token });
    expect(response.status).toBe(201);
    expect(Object.keys(response.body)).toEqual(['status', '_links']);
    expect(response.body._links['self']).toEqual({ href: response.headers['location'] });
  });

  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    it.each([
      ['', ''],
      ['/v2', ''],
      ['', '?version=2'],
    ])('%s/posts/1%s has links with the same mount and version', async (version, query) => {
      const response = await http.get<Linked & { readonly author: Linked & { readonly id: number } }>(
        `${mount}${version}/posts/1${query}`,
        {
          headers,
        },
      );
      const { author, _links } = response.body;
      expect(_links).toEqual({ self: { href: `${mount}${version}/posts/1${query}` } });
      expect(author._links).toEqual({ self: { href: `${mount}${version}/users/${String(author.id)}${query}` } });
      expect((await http.get(author._links['self']?.href ?? '')).status).toBe(200);
    });

    it('a page links to adjacent pages and each item to itself, with any `fields`', async () => {
      const response = await http.get<Linked & { readonly data: readonly Linked[] }>(`${mount}/books?size=3&page=2&fields=title`, {
        headers,
      });
      const { data, _links } = response.body;
      expect(Object.keys(_links)).toEqual(['self', 'first', 'prev', 'next', 'last']);
      expect(_links['self']?.href).toBe(`${mount}/books?size=3&page=2&fields=title`);
      expect(_links['next']?.href).toBe(`${mount}/books?size=3&page=3&fields=title`);
      for (const item of data) {
        expect(Object.keys(item)).toEqual(['title', '_links']);
        expect((await http.get(item._links['self']?.href ?? '')).body).toMatchObject({
          title: (item as unknown as { title: string }).title,
        });
      }
    });
  });

  it('the plain representation has no links and requests none of their fields', async () => {
    expect((await http.get('/posts/1')).text).not.toContain('_link');
    expect((await http.get('/posts/1', { headers })).text).not.toContain('_link_');
  });
});
