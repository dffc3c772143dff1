import { expect, it } from '@jest/globals';
import type { Page, RestOrder } from '../support/rest/rest-expectations.ts';
import { describeOnStack, uniqueName } from '../support/stack/shared-stack.ts';

describeOnStack('concurrent requests', ({ http, graphql, newUser, newOrder, url }) => {
  it('create one user for ten registrations of one address', async () => {
    const email = `${uniqueName('race')}@example.com`;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        graphql<{ createUser: { user: { id: string } | null; errors: readonly { code: string }[] } }>(
          'mutation ($e: String!) { createUser(input: { name: "N", email: $e }) { user { id } errors { code } } }',
          { variables: { e: index % 2 === 0 ? email : email.toUpperCase() } },
        ),
      ),
    );
    const results = responses.map(({ data, codes }) => data?.createUser.errors[0]?.code ?? codes[0] ?? 'made');
    expect(results.filter((result) => result === 'made')).toHaveLength(1);
    expect(results.filter((result) => result === 'CONFLICT')).toHaveLength(9);
  });

  it('return to each of many callers only its own user', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => newUser()));
    await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const user = users[index % users.length];
        const isAnonymous = index % 7 === 0;
        const { data } = await graphql<{ me: { id: string; email: string } | null }>('{ me { id email } }', {
          token: isAnonymous ? undefined : user?.token,
        });
        expect(data?.me).toEqual(isAnonymous ? null : { id: String(user?.id), email: user?.email });
      }),
    );
  });

  it('increase the version of an order once for each change or replacement', async () => {
    const owner = await newUser();
    const id = await newOrder(owner);
    const versionNow = async () => {
      const query = `{ order(id: "${String(id)}") { version } }`;
      return (await graphql<{ order: { version: number } }>(query, { token: owner.token })).data?.order.version ?? 0;
    };
    const before = await versionNow();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const qty = index + 10;
        const isPatch = index % 2 === 0;
        const json = isPatch ? { qty } : { productId: 2, qty };
        return http.send<RestOrder>({ method: isPatch ? 'PATCH' : 'PUT', path: `/orders/${String(id)}`, json, token: owner.token });
      }),
    );
    for (const { status } of responses) expect([200, 409]).toContain(status);
    const changes = responses.filter(({ status }) => status === 200).length;
    expect(changes).toBeGreaterThan(0);
    expect(await versionNow()).toBe(before + changes);
  });

  it('are served while other clients disconnect', async () => {
    const leaving = Array.from({ length: 40 }, async (_, index) => {
      const controller = new AbortController();
      const pending = fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ users(first: 100) { nodes { name posts(first: 20) { title comments { totalCount } } } } }' }),
        signal: controller.signal,
      }).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      if (index % 2 === 0) controller.abort();
      await pending;
    });
    await Promise.all(leaving);
    expect((await graphql('{ book(id: "1") { id } }')).data).toEqual({ book: { id: '1' } });
  });

  it('read a page whose numbers agree with its items while others write', async () => {
    const owner = await newUser();
    const reads = Array.from({ length: 10 }, async () => {
      const { body } = await http.get<Page<RestOrder>>(`/users/${String(owner.id)}/orders?size=100`, { token: owner.token });
      expect(body.data.length).toBeLessThanOrEqual(10);
      return body;
    });
    await Promise.all([...reads, ...Array.from({ length: 10 }, () => newOrder(owner))]);
    const { body } = await http.get<Page<RestOrder>>(`/users/${String(owner.id)}/orders?size=100`, { token: owner.token });
    expect({ total: body.totalElements, items: body.data.length }).toEqual({ total: 10, items: 10 });
  });
});
