import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const QUERY = 'query ($id: ID!) { user(id: $id) { id email } }';

/** Caller that requests the address of user 1. */
type Who = 'anonymous' | 'user1' | 'user2' | 'admin';

/** Example of the specification: "a user may read their own email but not another user's, unless an administrator role applies". */
const ROWS: readonly (readonly [Who, boolean, string])[] = [
  ['user1', true, ''],
  ['user2', false, 'FORBIDDEN'],
  ['admin', true, ''],
  ['anonymous', false, 'UNAUTHENTICATED'],
];

describeOnStack('the e-mail address of a user', ({ http, tokens }) => {
  const tokenOf = (who: Who): string | undefined => (who === 'anonymous' ? undefined : tokens[who]);
  const knownAddress = async (): Promise<unknown> => (await http.get('/users/1', { token: tokens.admin })).body['email'];

  /** Expected response of `/graphql` by any method. */
  const expected = async (isSeen: boolean, code: string) => {
    const email = isSeen ? await knownAddress() : null;
    const data = { user: { id: '1', email } };
    if (isSeen) return { status: 200, body: { data } };
    const entry = {
      message: expect.any(String),
      locations: [expect.anything()],
      path: ['user', 'email'],
      extensions: { code, requestId: expect.any(String) },
    };
    return { status: 200, body: { errors: [entry], data } };
  };

  it.each(ROWS)('is visible to %s by POST /graphql: %s %s', async (who, isSeen, code) => {
    const { status, body } = await http.post('/graphql', { query: QUERY, variables: { id: '1' } }, { token: tokenOf(who) });
    expect({ status, body }).toEqual(await expected(isSeen, code));
  });

  it.each(ROWS)('is visible to %s by a persisted GET, twice: %s %s', async (who, isSeen, code) => {
    const sha256Hash = createHash('sha256').update(QUERY).digest('hex');
    const parameters = new URLSearchParams({
      variables: '{"id":"1"}',
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }),
    });
    await http.get(`/graphql?${parameters.toString()}&query=${encodeURIComponent(QUERY)}`, { token: tokens.admin });
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await http.get(`/graphql?${parameters.toString()}`, { token: tokenOf(who) });
      expect({ status, body }).toEqual(await expected(isSeen, code));
    }
  });

  it.each(ROWS)('is in the 200 of GET /users/1 for %s: %s', async (who, isSeen) => {
    const { status, body } = await http.get('/users/1', { token: tokenOf(who) });
    expect({ status, id: body['id'], email: body['email'] }).toEqual({
      status: 200,
      id: 1,
      email: isSeen ? await knownAddress() : undefined,
    });
    expect(Object.hasOwn(body, 'email')).toBe(isSeen);
  });

  it.each(ROWS)('is visible to %s by GET /users/1 with `fields`, or an error is returned: %s %s', async (who, isSeen, code) => {
    const { status, body, headers } = await http.get('/users/1?fields=id,email', { token: tokenOf(who) });
    if (isSeen) {
      expect({ status, body }).toEqual({ status: 200, body: { id: 1, email: await knownAddress() } });
      return;
    }
    expect({ status, error: body['error'] }).toEqual({ status: code === 'FORBIDDEN' ? 403 : 401, error: code });
    expect(headers['www-authenticate'] === undefined).toBe(code === 'FORBIDDEN');
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('is visible to each of two concurrent users only for themselves', async () => {
    const query = '{ first: user(id: "1") { email } second: user(id: "2") { email } }';
    const [one, two] = await Promise.all([tokens.user1, tokens.user2].map(async (token) => http.post('/graphql', { query }, { token })));
    expect(one?.body['data']).toEqual({ first: { email: expect.stringContaining('@') }, second: { email: null } });
    expect(two?.body['data']).toEqual({ first: { email: null }, second: { email: expect.stringContaining('@') } });
  });
});
