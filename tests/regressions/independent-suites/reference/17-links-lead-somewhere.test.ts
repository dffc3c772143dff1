import { expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../../../support/stack/shared-stack.ts';

type Linked = { readonly id: number; readonly _links: Readonly<Record<string, { readonly href: string; readonly method?: string }>> };

const headers = { accept: 'application/vnd.gatefold.links+json' };

describeOnStack('point 17: links of resources', ({ http, graphql, tokens, newUser, newOrder }) => {
  const relsOf = async (path: string, token?: string) => {
    const { status, body } = await http.get<Linked>(path, { headers, token });
    expect(status).toBe(200);
    return Object.keys(body._links);
  };

  it('include orders of a user only for that user and administrators', async () => {
    const user = await newUser();
    const path = `/users/${String(user.id)}`;
    expect(await relsOf(path)).toEqual(['self']);
    expect(await relsOf(path, tokens.user1)).toEqual(['self']);
    expect((await http.get(`${path}/orders`, { token: tokens.user1 })).status).toBe(403);
    for (const token of [user.token, tokens.admin]) {
      expect(await relsOf(path, token)).toEqual(['self', 'orders']);
      expect((await http.get(`${path}/orders`, { token })).status).toBe(200);
    }
  });

  it('do not include a deleted product or a removed user', async () => {
    const book = await http.post<Linked>('/books', { title: 'Gone', author: 'Nobody', price: 1, inStock: true }, { token: tokens.admin });
    const owner = await newUser();
    const path = `/orders/${String(await newOrder(owner, { productId: book.body.id }))}`;
    expect(await relsOf(path, tokens.admin)).toEqual(['self', 'user', 'product', 'cancel']);
    const before = await http.get(path, { headers, token: tokens.admin });
    const gone = await graphql(`mutation { deleteBook(id: "${String(book.body.id)}") { errors { code } } }`, { token: tokens.admin });
    expect(gone.data).toEqual({ deleteBook: { errors: [] } });
    await graphql(`mutation { deleteUser(id: "${String(owner.id)}") { errors { code } } }`, { token: tokens.admin });
    expect(await relsOf(path, tokens.admin)).toEqual(['self', 'cancel']);
    const tag = { ...headers, 'if-none-match': String(before.headers['etag']) };
    expect((await http.get(path, { headers: tag, token: tokens.admin })).status).toBe(200);
  });

  it('do not include an author that was removed', async () => {
    const author = await newUser();
    const post = { title: uniqueName('post'), body: 'Text', tags: [] };
    const { body } = await http.post<Linked>('/posts', post, { token: author.token });
    await graphql(`mutation { deleteUser(id: "${String(author.id)}") { errors { code } } }`, { token: tokens.admin });
    const read = await http.get<Linked & { readonly author: Linked }>(`/posts/${String(body.id)}`, { headers, token: tokens.admin });
    expect([read.status, read.body.author._links]).toEqual([200, {}]);
    expect((await http.get(`/users/${String(author.id)}`)).status).toBe(404);
  });
});
