import { expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../../../support/stack/shared-stack.ts';

type Resource = Record<string, unknown>;

interface Registered {
  readonly createUser: { readonly user: Resource | null; readonly errors: readonly { readonly code: string }[] } | null;
}

const newInput = () => ({ name: 'Newcomer', email: `${uniqueName('new')}@example.com`, age: 30 });

describeOnStack('point 17: a caller that has just registered', ({ http, graphql, tokens }) => {
  const register = async (selection: string, input = newInput(), more: object = {}) =>
    graphql<Registered>(`mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${selection} } errors { code } } }`, {
      variables: { input },
      ...more,
    });

  it('sees all of the new user, over GraphQL and REST, signed in or not, and in a replay', async () => {
    for (const more of [{}, { token: tokens.user1 }]) {
      const input = newInput();
      const headers = { 'idempotency-key': uniqueName('register') };
      const first = await register('id name email age', input, { ...more, headers });
      expect([first.codes, first.data?.createUser?.user]).toEqual([[], { id: expect.any(String), ...input }]);
      const again = await register('id name email age', input, { ...more, headers });
      expect([again.headers['idempotent-replayed'], again.data]).toEqual(['true', first.data]);
    }
    const json = newInput();
    const made = await http.send<Resource>({ method: 'POST', path: '/users', json });
    expect([made.status, made.body['email'], made.body['name']]).toEqual([201, json.email, json.name]);
    expect(made.headers['cache-control']).toContain('no-store');
    const read = await http.get<Resource>(`/users/${String(made.body['id'])}`);
    expect([read.status, Object.keys(read.body)]).toEqual([200, expect.not.arrayContaining(['email'])]);
  });

  it('sees nothing of it elsewhere in the operation, nor in another operation', async () => {
    const input = newInput();
    const nested = await register('id orders { totalCount }', input);
    expect(nested.codes).toEqual(['UNAUTHENTICATED']);
    const id = String(nested.data?.createUser?.user?.['id']);
    expect(nested.data?.createUser?.user).toEqual({ id, orders: null });
    const reads = await graphql(`{ user(id: "${id}") { email } _: user(id: "${id}") { age } }`);
    expect([reads.codes, JSON.stringify(reads.data)]).toEqual([
      ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
      expect.not.stringContaining(input.email),
    ]);
    const other = await graphql(`{ user(id: "${id}") { email } }`, { token: tokens.user2 });
    expect([other.codes, other.data]).toEqual([['FORBIDDEN'], { user: { email: null } }]);
  });

  it('sees nothing of the user that already has the email address', async () => {
    const input = newInput();
    await register('id', input);
    const taken = await register('id email age', { ...input, name: 'Other', age: 99 });
    expect([taken.codes, taken.data?.createUser]).toEqual([[], { user: null, errors: [{ code: 'CONFLICT' }] }]);
  });

  it('sees nothing of the user that another mutation of the operation returns', async () => {
    const mutation = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { ...Person } }
  updateUser(id: 1, patch: {}) { user { ...Person } }
}
fragment Person on User { id email }`;
    const input = newInput();
    for (const token of [undefined, tokens.user2]) {
      const { data, errors, text } = await graphql(mutation, { variables: { input: { ...input, email: newInput().email } }, token });
      // `updateUser` is non-null, so its error makes the whole response null.
      expect([data, errors?.map(({ path }) => path?.[0])]).toEqual([null, ['updateUser']]);
      expect(text).not.toContain('@example');
    }
  });
});
