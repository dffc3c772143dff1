import { expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../../../support/stack/shared-stack.ts';

type Resource = Record<string, unknown>;

describeOnStack('point 15: anonymous callers', ({ http, graphql, tokens, newUser }) => {
  it('receive one public representation of users, which no other callers share', async () => {
    const user = await newUser();
    for (const accept of ['application/json', 'application/vnd.gatefold.envelope+json', 'application/vnd.gatefold.links+json']) {
      for (const path of [`/users/${user.id}`, '/users?size=3']) {
        const response = await http.get<Resource>(path, { headers: { accept } });
        expect([response.status, response.headers['cache-control']]).toEqual([200, 'public, max-age=60']);
        expect(response.headers['vary']).toContain('Authorization, X-API-Key');
        expect(response.text).not.toContain('email');
      }
    }
    const tags = [undefined, tokens.user1, user.token].map(
      async (token) => (await http.get(`/users/${user.id}`, { token })).headers['etag'],
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
    const own = await http.get<Resource>(`/users/${user.id}`, { token: user.token });
    expect([own.body['email'], own.headers['cache-control']]).toEqual([user.email, 'private, max-age=60']);
    expect((await http.get('/users/1?fields=email')).status).toBe(401);
  });

  it('are informed of a replay, over REST and GraphQL', async () => {
    const json = { name: 'Somebody', email: `${uniqueName('replay')}@example.com`, age: 20 };
    const request = { method: 'POST', path: '/users', json, headers: { 'idempotency-key': uniqueName('anonymous') } };
    const [first, again] = [await http.send<Resource>(request), await http.send<Resource>(request)];
    expect([first.status, first.headers['idempotent-replayed'], again.status, again.headers['idempotent-replayed']]).toEqual([
      201,
      undefined,
      201,
      'true',
    ]);
    expect(again.body['id']).toBe(first.body['id']);
    const other = await http.send({ ...request, json: { ...json, name: 'Else' } });
    expect([other.status, (other.body as Resource)['error']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const headers = { 'idempotency-key': uniqueName('anonymous') };
    const query = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } errors { code } } }';
    const variables = { input: { ...json, email: `${uniqueName('replay')}@example.com` } };
    const made = await graphql(query, { variables, headers });
    const replayed = await graphql(query, { variables, headers });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.data).toEqual(made.data);
  });
});
