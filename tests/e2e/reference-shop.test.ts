import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../support/stack/shared-stack.ts';
import { expectJson, expectPage, expectError, type Page, type RestOrder } from '../support/rest/rest-expectations.ts';

describeOnStack('a customer of the shop', ({ http, graphql, token, tokens }) => {
  it('registers, orders, pays and posts with consistent results over GraphQL and REST', async () => {
    // An administrator adds a book over REST.
    const title = uniqueName('A Field Guide');
    const book = await http.post<{ id: number }>('/api/books', { title, author: 'B. Otany', price: 19.99 }, { token: tokens.admin });
    expectJson(book, 201);

    // A user registers over GraphQL. A second registration is rejected.
    const register = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id name } errors { field code } } }';
    const input = { name: 'Ada Reader', email: `${uniqueName('ada')}@example.com`, age: 36 };
    const registered = await graphql<{ createUser: { user: { id: string } } }>(register, { variables: { input } });
    const id = registered.data?.createUser.user.id ?? '';
    const mine = token({ sub: id });
    expect((await graphql(register, { variables: { input } })).data).toEqual({
      createUser: { user: null, errors: [{ field: 'input.email', code: 'CONFLICT' }] },
    });

    // The user orders over REST, and reads the order over GraphQL with the book and the user.
    const order = await http.post<RestOrder>('/orders', { productId: book.body.id, qty: 2 }, { token: mine });
    expectJson(order, 201);
    const read = await graphql(
      `{ order(id: "${String(order.body.id)}") { status total product { title } user { name email } shipment { carrier } } }`,
      { token: mine },
    );
    expect(read.errors).toBeUndefined();
    expect(read.data).toEqual({
      order: { status: 'PENDING', total: 39.98, product: { title }, user: { name: input.name, email: input.email }, shipment: null },
    });

    // The user pays twice with the same key, as after a lost response. Only one payment is made.
    const headers = { 'idempotency-key': randomUUID() };
    const pay = () => http.post<{ id: number }>('/payments', { amount: 3_998, currency: 'EUR' }, { token: mine, headers });
    const [first, second] = [await pay(), await pay()];
    expect(second.body).toEqual(first.body);
    const payment = await graphql(`{ payment(id: "${String(first.body.id)}") { amount currency status user { id } } }`, { token: mine });
    expect(payment.data).toEqual({ payment: { amount: 3_998, currency: 'EUR', status: 'SUCCEEDED', user: { id } } });

    // The user confirms the order over GraphQL. Only an administrator can ship it, over REST. Then it cannot be canceled.
    const path = `/orders/${String(order.body.id)}`;
    await graphql(`mutation { updateOrder(id: "${String(order.body.id)}", patch: { status: CONFIRMED }) { order { status } } }`, {
      token: mine,
    });
    expectError(await http.send({ method: 'PATCH', path, json: { status: 'SHIPPED' }, token: mine }), 403, 'FORBIDDEN');
    expectJson(await http.send({ method: 'PATCH', path, json: { status: 'SHIPPED' }, token: tokens.admin }), 200);
    expectError(await http.send({ method: 'DELETE', path, token: mine }), 409, 'CONFLICT');

    // The user cancels a second order. The list over REST has both, with their statuses.
    const other = await http.post<RestOrder>('/orders', { productId: book.body.id, qty: 1 }, { token: mine });
    expect((await http.send({ method: 'DELETE', path: `/orders/${String(other.body.id)}`, token: mine })).status).toBe(204);
    const list = await http.get<Page<RestOrder>>(`/users/${id}/orders?sort=id`, { token: mine });
    expectPage(list);
    expect(list.body.data.map(({ status }) => status)).toEqual(['SHIPPED', 'CANCELLED']);

    // The user writes a post, another user comments, and anonymous callers can find it.
    const word = `zq${randomUUID().slice(0, 8)}`;
    const post = await graphql<{ createPost: { id: string } }>(
      'mutation ($word: String!) { createPost(input: { title: $word, body: "Arrived quickly." }) { id author { name } } }',
      { variables: { word }, token: mine },
    );
    const postId = post.data?.createPost.id ?? '';
    await graphql('mutation ($id: ID!) { addComment(input: { postId: $id, body: "Thank you." }) { comment { id } } }', {
      variables: { id: postId },
      token: tokens.user2,
    });
    const found = await graphql(
      'query ($word: String!) { search(term: $word) { ... on Post { title author { name email } comments { nodes { body author { id } } } } } }',
      {
        variables: { word },
      },
    );
    expect(found.codes).toEqual(['UNAUTHENTICATED']);
    expect(found.data).toEqual({
      search: [
        { title: word, author: { name: input.name, email: null }, comments: { nodes: [{ body: 'Thank you.', author: { id: '2' } }] } },
      ],
    });
  });

  it('the page at the root loads everything from the same origin', async () => {
    const page = await http.get('/', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address]) => address ?? '')
      .filter((address) => !address.startsWith('data:'));
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) {
      expect(address).toMatch(/^\.?\/(?!\/)/);
      expect((await http.get(address.replace(/^\.\//, '/'))).status).toBe(200);
    }
  });
});
