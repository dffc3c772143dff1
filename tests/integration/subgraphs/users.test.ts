import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ADMIN, type GraphResponse, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly age: number | null;
  readonly version: number;
}

interface Payload {
  readonly user: User | null;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
}

const PAYLOAD = '{ user { id name email age version } errors { field code } }';
const CREATE = `mutation ($input: CreateUserInput!, $key: String) { result: createUser(input: $input, idempotencyKey: $key) ${PAYLOAD} }`;
const UPDATE = `mutation ($id: ID!, $patch: UpdateUserInput!, $version: Int) { result: updateUser(id: $id, patch: $patch, expectedVersion: $version) ${PAYLOAD} }`;
const DELETE = `mutation ($id: ID!, $version: Int) { result: deleteUser(id: $id, expectedVersion: $version) ${PAYLOAD} }`;

const newAddress = () => `${randomUUID()}@example.org`;

describeOnSubgraphs('users', (stack) => {
  const request = <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}, as?: Caller) =>
    stack().query<Data>('users', { query, variables, as });
  const mutate = (query: string, variables: Readonly<Record<string, unknown>>, as?: Caller) =>
    request<{ result: Payload }>(query, variables, as);
  const userErrors = ({ data }: GraphResponse<{ result: Payload }>) => data?.result.errors.map(({ field, code }) => `${code} ${field}`);
  const read = async (id: string) =>
    (await request<{ user: User | null }>('query ($id: ID!) { user(id: $id) { id name email age version } }', { id }, ADMIN)).data?.user;
  const countNamed = async (name: string) =>
    (await request<{ users: { totalCount: number } }>('query ($name: String) { users(filter: { name: $name }) { totalCount } }', { name }))
      .data?.users.totalCount;

  async function newUser(input: object = {}): Promise<User> {
    const { data, text } = await mutate(CREATE, { input: { name: 'Nora Nyberg', email: newAddress(), age: 40, ...input } }, ADMIN);
    if (!data?.result.user) throw new Error(text);
    return data.result.user;
  }

  describe('private fields', () => {
    const PRIVATE = '{ user(id: "1") { name email age createdAt } }';

    it('are null with UNAUTHENTICATED for anonymous callers', async () => {
      const { data, codes } = await request<{ user: User }>(PRIVATE);
      expect(data?.user).toMatchObject({ name: expect.any(String), email: null, age: null });
      expect(codes).toEqual(['UNAUTHENTICATED user.age', 'UNAUTHENTICATED user.email']);
    });

    it('are null with FORBIDDEN for other users', async () => {
      expect((await request(PRIVATE, {}, user('2'))).codes).toEqual(['FORBIDDEN user.age', 'FORBIDDEN user.email']);
    });

    it.each([user('1'), ADMIN])('are returned for user 1 to %j', async (as) => {
      const { data, codes } = await request<{ user: User }>(PRIVATE, {}, as);
      expect(codes).toEqual([]);
      expect(data?.user.email).toMatch(/@example\./);
    });

    it.each(['0', '-1', '01', '1.0', ' 1', 'x', '', '9223372036854775808', '99999999999999999999', '1e3', '１'])(
      'the invalid ID %j returns null without an error',
      async (id) => {
        const { data, codes } = await request('query ($id: ID!) { user(id: $id) { id } }', { id });
        expect([data, codes]).toEqual([{ user: null }, []]);
      },
    );

    it('`me` is null for anonymous and unknown callers', async () => {
      const me = async (as?: Caller) => (await request<{ me: User | null }>('{ me { id } }', {}, as)).data?.me;
      expect([await me(), await me(user('somebody@elsewhere')), await me(user('7'))]).toEqual([null, null, { id: '7' }]);
    });
  });

  describe('registering', () => {
    it.each([
      [{ name: ' ' }, ['BAD_USER_INPUT input.name']],
      [{ name: 'a\u0000b' }, ['BAD_USER_INPUT input.name']],
      [{ name: 'x'.repeat(101), age: 151 }, ['BAD_USER_INPUT input.name', 'BAD_USER_INPUT input.age']],
      [{ email: 'nobody' }, ['BAD_USER_INPUT input.email']],
      [{ email: 'two@@example.org' }, ['BAD_USER_INPUT input.email']],
      [{ email: 'a b@example.org' }, ['BAD_USER_INPUT input.email']],
      [{ email: `${'x'.repeat(250)}@example.org` }, ['BAD_USER_INPUT input.email']],
      [{ age: -1 }, ['BAD_USER_INPUT input.age']],
    ])('%j produces the payload errors %j', async (change, expected) => {
      const response = await mutate(CREATE, { input: { name: 'Nora', email: newAddress(), ...change } });
      expect([response.data?.result.user, userErrors(response)]).toEqual([null, expected]);
    });

    it('returns CONFLICT for an existing address in other letter case', async () => {
      const { email } = await newUser();
      const response = await mutate(CREATE, { input: { name: 'Another', email: email?.toUpperCase() } });
      expect([response.data?.result.user, userErrors(response)]).toEqual([null, ['CONFLICT input.email']]);
    });

    it('creates a user with a trimmed name for an anonymous caller', async () => {
      const { data } = await mutate(CREATE, { input: { name: '  Åse 書 ', email: newAddress() } });
      expect(await read(data?.result.user?.id ?? '')).toMatchObject({ name: 'Åse 書', age: null, version: 1 });
    });

    it('creates one user for 20 concurrent requests, and conflicts for the others', async () => {
      const input = { name: 'Twenty At Once', email: newAddress() };
      const responses = await Promise.all(Array.from({ length: 20 }, async () => mutate(CREATE, { input })));
      expect(responses.filter(({ data }) => data?.result.user !== null)).toHaveLength(1);
      expect(responses.flatMap((response) => userErrors(response) ?? [])).toEqual(Array(19).fill('CONFLICT input.email'));
    });

    it('creates one user for 30 anonymous requests with one key', async () => {
      const [name, key] = [`Keyed ${randomUUID()}`, randomUUID()];
      const input = { name, email: newAddress(), age: 33 };
      const responses = await Promise.all(Array.from({ length: 30 }, async () => mutate(CREATE, { input, key })));
      expect(new Set(responses.map(({ data }) => JSON.stringify(data?.result))).size).toBe(1);
      expect(await countNamed(name)).toBe(1);
    });

    it('rejects a reused key with another input for the same caller only', async () => {
      const key = randomUUID();
      await mutate(CREATE, { input: { name: 'First', email: newAddress() }, key });
      const other = { input: { name: 'Second', email: newAddress() }, key };
      expect(userErrors(await mutate(CREATE, other))).toEqual(['IDEMPOTENCY_KEY_REUSED idempotencyKey']);
      expect(userErrors(await mutate(CREATE, other, user('3')))).toEqual([]);
    });

    it('accepts the corrected input under the key of a rejected request', async () => {
      const key = randomUUID();
      await mutate(CREATE, { input: { name: '', email: newAddress() }, key });
      expect(userErrors(await mutate(CREATE, { input: { name: 'Now', email: newAddress() }, key }))).toEqual([]);
    });

    it.each(['', 'a\tb', 'a\u0000', 'ü', 'x'.repeat(256)])('returns IDEMPOTENCY_KEY_INVALID for the key %j', async (key) => {
      const { codes } = await mutate(CREATE, { input: { name: 'Nora', email: newAddress() }, key });
      expect(codes).toEqual(['IDEMPOTENCY_KEY_INVALID result']);
    });
  });

  describe('changing', () => {
    it.each([
      ['anonymous callers', undefined, 'UNAUTHENTICATED result'],
      ['other users', user('5'), 'FORBIDDEN result'],
    ])('rejects changes and deletions by %s', async (_who, as, rejected) => {
      const { id } = await newUser();
      expect((await mutate(UPDATE, { id, patch: { name: 'Mallory' } }, as)).codes).toEqual([rejected]);
      expect((await mutate(DELETE, { id }, as)).codes).toEqual([rejected]);
      expect((await read(id))?.name).toBe('Nora Nyberg');
    });

    it('returns NOT_FOUND to an administrator for an unknown user', async () => {
      for (const id of ['999999999', 'x', '9223372036854775808']) {
        expect(userErrors(await mutate(UPDATE, { id, patch: { name: 'Nobody' } }, ADMIN))).toEqual(['NOT_FOUND id']);
        expect(userErrors(await mutate(DELETE, { id }, ADMIN))).toEqual(['NOT_FOUND id']);
      }
    });

    it('validates the input before it looks up the user', async () => {
      expect(userErrors(await mutate(UPDATE, { id: '999999999', patch: { name: '' } }, ADMIN))).toEqual(['BAD_USER_INPUT patch.name']);
    });

    it('names the fields that cannot be null and changes nothing', async () => {
      const before = await newUser();
      const response = await mutate(UPDATE, { id: before.id, patch: { name: null, email: null } }, user(before.id));
      expect(userErrors(response)).toEqual(['BAD_USER_INPUT patch.name', 'BAD_USER_INPUT patch.email']);
      expect(await read(before.id)).toEqual(before);
    });

    it('returns CONFLICT for the address of another user', async () => {
      const [one, two] = [await newUser(), await newUser()];
      expect(userErrors(await mutate(UPDATE, { id: one.id, patch: { email: two.email } }, user(one.id)))).toEqual(['CONFLICT patch.email']);
    });

    it('null clears the age, absent fields remain, and only changes create versions', async () => {
      const { id, email } = await newUser();
      const { data } = await mutate(UPDATE, { id, patch: { age: null, name: 'Nora New' }, version: 1 }, user(id));
      expect(data?.result.user).toEqual({ id, name: 'Nora New', email, age: null, version: 2 });
      for (const patch of [{}, { name: ' Nora New ', email, age: null }]) {
        expect((await mutate(UPDATE, { id, patch }, user(id))).data?.result.user?.version).toBe(2);
      }
    });

    it('exactly one of 15 writers with the same version succeeds', async () => {
      const { id } = await newUser();
      const writes = Array.from({ length: 15 }, async (_, age) => mutate(UPDATE, { id, patch: { age }, version: 1 }, user(id)));
      const responses = await Promise.all(writes);
      expect(responses.filter(({ data }) => data?.result.user != null)).toHaveLength(1);
      expect(responses.flatMap((response) => userErrors(response) ?? [])).toEqual(Array(14).fill('VERSION_MISMATCH expectedVersion'));
    });
  });

  describe('removing', () => {
    it('deletes nothing for an outdated version', async () => {
      const { id } = await newUser();
      expect(userErrors(await mutate(DELETE, { id, version: 7 }, user(id)))).toEqual(['VERSION_MISMATCH expectedVersion']);
      expect(await read(id)).not.toBeNull();
    });

    it('removes the user from lists and leaves a tombstone for references', async () => {
      const name = `Gone ${randomUUID()}`;
      const { id, email } = await newUser({ name });
      const { data } = await mutate(DELETE, { id }, user(id));
      expect(data?.result.user).toMatchObject({ id, name, email });
      expect([await read(id), await countNamed(name), await countNamed('Deleted user')]).toEqual([null, 0, 0]);
      const { data: reference, codes } = await request(
        'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { id name email age } } }',
        { of: [{ __typename: 'User', id }] },
        ADMIN,
      );
      expect(reference).toEqual({ _entities: [{ id, name: 'Deleted user', email: null, age: null }] });
      expect(codes).toEqual([]);
      expect(userErrors(await mutate(DELETE, { id }, user(id)))).toEqual(['NOT_FOUND id']);
      expect((await request<{ me: User | null }>('{ me { id } }', {}, user(id))).data?.me).toBeNull();
      expect((await newUser({ email })).email).toBe(email);
    });
  });

  describe('statements', () => {
    it('200 references in two fields take one statement', async () => {
      const of = Array.from({ length: 200 }, (_, index) => ({ __typename: 'User', id: String(index + 1) }));
      const statements = await stack().statementsOf(async () =>
        request(
          'query ($of: [_Any!]!) { a: _entities(representations: $of) { ... on User { name } } b: _entities(representations: $of) { ... on User { id } } }',
          {
            of,
          },
        ),
      );
      expect(statements).toHaveLength(1);
    });

    it.each([
      ['{ users { nodes { id } } }', 1],
      ['{ users { totalCount } }', 1],
      ['{ users { nodes { id } edges { cursor } pageInfo { endCursor } } }', 1],
      ['{ users { nodes { id } totalCount } }', 2],
      ['{ users { __typename } }', 0],
    ])('%s takes %d statements', async (query, count) => {
      expect(await stack().statementsOf(async () => request(query))).toHaveLength(count);
    });

    it('a mutation with invalid input writes nothing', async () => {
      const statements = await stack().statementsOf(async () => mutate(CREATE, { input: { name: '', email: 'x' } }));
      expect(statements.filter((text) => !text.startsWith('select'))).toEqual([]);
    });
  });
});
