import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

describeOnSubgraphs('search', (stack) => {
  const search = async (term: string, rest: { readonly first?: number; readonly after?: string } = {}) => {
    const { data, codes } = await stack().query<{ search: readonly { __typename: string; id: string }[] }>('search', {
      query: `query ($term: String!, $first: Int, $after: String) { search(term: $term, first: $first, after: $after) {
        __typename ... on User { id } ... on Post { id } ... on Comment { id }
      } }`,
      variables: { term, ...rest },
    });
    return data === null ? codes : data.search.map(({ __typename, id }) => `${__typename}:${id}`);
  };
  const write = async (title: string, body: string) => {
    const { data } = await stack().query<{ createPost: { id: string } }>('posts', {
      query: 'mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }',
      variables: { input: { title, body } },
      as: user('3'),
    });
    return `Post:${data?.createPost.id}`;
  };
  const register = async (name: string) => {
    const { data } = await stack().query<{ createUser: { user: { id: string } } }>('users', {
      query: 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }',
      variables: { input: { name, email: `${randomUUID()}@example.org` } },
    });
    return data?.createUser.user.id ?? '';
  };

  it.each(['', '   ', 'x'.repeat(101), 'a\u0000b', '\ud800'])('returns BAD_USER_INPUT for the term %j', async (term) => {
    expect(await search(term)).toEqual(['BAD_USER_INPUT search']);
  });

  it.each([
    { first: 0 },
    { first: 101 },
    { after: 'x' },
    { after: 'Order:1' },
    { after: 'Post:0' },
    { after: 'Post:99999999999999999999' },
  ])('returns BAD_USER_INPUT for %j', async (rest) => {
    expect(await search('a', rest)).toEqual(['BAD_USER_INPUT search']);
  });

  it.each(['%', '_', '%%%', '\\', "'; drop table x", '100%_\\'])('matches %j literally', async (wildcard) => {
    const mark = randomUUID();
    expect(await search(`${mark}${wildcard}`)).toEqual([]);
    const written = await write(`about ${mark}${wildcard}`, 'words');
    expect(await search(`${mark}${wildcard}`)).toEqual([written]);
  });

  it('ignores letter case and ranks the best matches first', async () => {
    const word = `zebra${randomUUID().slice(0, 8)}`;
    const inBody = await write('Nothing', `It is in the middle: ${word}.`);
    const inside = await write(`un${word}ed`, 'x');
    const wordStart = await write(`The ${word} again`, 'x');
    const start = await write(`${word} and more`, 'x');
    const exact = `User:${await register(word)}`;
    const ranked = [exact, start, wordStart, inside, inBody];
    expect(await search(` ${word.toUpperCase()} `)).toEqual(ranked);
    expect(await search(word, { first: 2 })).toEqual(ranked.slice(0, 2));
    expect(await search(word, { first: 2, after: ranked[1] ?? '' })).toEqual(ranked.slice(2, 4));
    expect(await search(word, { after: inBody })).toEqual([]);
  });

  it('joined pages have every result once', async () => {
    const pages: string[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = await search('again', { first: 37, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      pages.push(...page);
    }
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages.length).toBeGreaterThan(37);
    expect(pages.slice(0, 100)).toEqual(await search('again', { first: 100 }));
  });

  it('does not find a deleted user', async () => {
    const name = `Removed ${randomUUID()}`;
    const id = await register(name);
    expect(await search(name)).toEqual([`User:${id}`]);
    await stack().query('users', {
      query: 'mutation ($id: ID!) { deleteUser(id: $id) { errors { code } } }',
      variables: { id },
      as: user(id),
    });
    expect([await search(name), await search('Deleted user')]).toEqual([[], []]);
  });
});
