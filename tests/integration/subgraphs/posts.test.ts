import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ExecutionResult, parse, subscribe } from 'graphql';
import { ADMIN, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

interface Post {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly author: { readonly id: string };
}

const CREATE = `mutation ($input: CreatePostInput!, $key: String) { result: createPost(input: $input, idempotencyKey: $key) { id title tags author { id } } }`;
const COMMENT = `mutation ($input: AddCommentInput!, $key: String) { result: addComment(input: $input, idempotencyKey: $key) { comment { id body author { id } post { id } } errors { field code } } }`;
const NEW_POST = { title: 'A Title', body: 'Some words.' };

describeOnSubgraphs('posts', (stack) => {
  const request = <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}, as?: Caller) =>
    stack().query<Data>('posts', { query, variables, as });
  const create = (input: object, as?: Caller, key?: string) =>
    request<{ result: Post }>(CREATE, { input: { ...NEW_POST, ...input }, key }, as);
  const comment = (input: object, as?: Caller) =>
    request<{ result: { comment: { id: string; post: { id: string } } | null; errors: readonly { field: string; code: string }[] } }>(
      COMMENT,
      { input },
      as,
    );

  async function newPost(input: object = {}): Promise<Post> {
    const { data, text } = await create(input, user('3'));
    if (!data) throw new Error(text);
    return data.result;
  }

  describe('writing', () => {
    it('returns UNAUTHENTICATED without credentials', async () => {
      expect((await create({})).codes).toEqual(['UNAUTHENTICATED result']);
      expect((await comment({ postId: '1', body: 'x' })).codes).toEqual(['UNAUTHENTICATED result']);
    });

    it.each(['somebody@elsewhere', '99999999'])('returns FORBIDDEN for the unknown user %s', async (id) => {
      expect((await create({}, user(id))).codes).toEqual(['FORBIDDEN result']);
      expect((await comment({ postId: '1', body: 'x' }, user(id))).codes).toEqual(['FORBIDDEN result']);
    });

    it.each([
      [{ title: '' }],
      [{ title: 'x'.repeat(201) }],
      [{ body: ' \n ' }],
      [{ body: 'x'.repeat(20_001) }],
      [{ tags: Array.from({ length: 11 }, String) }],
      [{ tags: ['x'.repeat(41)] }],
      [{ tags: [''] }],
      [{ title: 'a\u0000b' }],
    ])('returns BAD_USER_INPUT and names the field for a post with %j', async (input) => {
      const { data, codes, text } = await create(input, user('3'));
      expect([data, codes]).toEqual([null, ['BAD_USER_INPUT result']]);
      expect(text).toContain(`\`${Object.keys(input)[0]}\`: `);
      expect(text).not.toContain('input.');
    });

    it.each([
      [{ postId: '1', body: '' }, ['BAD_USER_INPUT input.body']],
      [{ postId: '1', body: 'x'.repeat(2_001) }, ['BAD_USER_INPUT input.body']],
      [{ postId: '99999999', body: 'x' }, ['NOT_FOUND input.postId']],
      [{ postId: 'x', body: 'x' }, ['NOT_FOUND input.postId']],
      [{ postId: '9223372036854775808', body: 'x' }, ['NOT_FOUND input.postId']],
    ])('the comment %j produces the payload errors %j', async (input, expected) => {
      const { data } = await comment(input, user('3'));
      expect([data?.result.comment, data?.result.errors.map(({ field, code }) => `${code} ${field}`)]).toEqual([null, expected]);
    });

    it('stores special characters unchanged', async () => {
      const input = {
        title: '書籍 📚 "quoted" \\ \'; drop table posts',
        body: '<b>\t\u2028</b>',
        tags: ['a,b', '"c"', '{d}', 'NULL', '\\'],
      };
      const { id } = await newPost(input);
      const { data } = await request('query ($id: ID!) { post(id: $id) { title body tags author { id } version } }', { id });
      expect(data).toEqual({ post: { ...input, author: { id: '3' }, version: 1 } });
    });

    it('creates one post and one event for 20 concurrent requests with one key', async () => {
      const [title, key] = [`Keyed ${randomUUID()}`, randomUUID()];
      await stack().relay.drain();
      const arrived = stack().events.subscribe('post.created');
      const responses = await Promise.all(Array.from({ length: 20 }, async () => create({ title }, user('4'), key)));
      const ids = new Set(responses.map(({ data }) => data?.result.id));
      expect(ids.size).toBe(1);
      const next = await create({ title: 'The next one' }, user('4'));
      const events = [await arrived.next(), await arrived.next()].map(({ value }) => value?.payload['postId']);
      expect(events).toEqual([[...ids][0], next.data?.result.id]);
      await arrived.return?.();
    });

    it('a rejected post writes no event', async () => {
      const statements = await stack().statementsOf(async () => create({ title: '' }, user('4')));
      expect(statements.filter((text) => text.startsWith('insert'))).toEqual([]);
    });
  });

  describe('reading', () => {
    it.each(['first: 0', 'first: 101', 'offset: -1', 'offset: 10001', 'after: "x"', 'offset: 1, after: "WyJJRCBBU0MiLCIxIl0"'])(
      'lists of posts and comments reject %s with BAD_USER_INPUT',
      async (args) => {
        expect((await request(`{ posts(${args}) { nodes { id } } }`)).codes).toEqual(['BAD_USER_INPUT posts']);
        expect((await request(`{ post(id: "1") { comments(${args}) { nodes { id } } } }`)).codes).toEqual(['BAD_USER_INPUT post.comments']);
      },
    );

    it.each(['first: 0', 'first: 101', 'after: "x"', 'after: "0"', 'after: "9223372036854775808"'])(
      'the plain list rejects %s with BAD_USER_INPUT',
      async (args) => {
        expect((await request(`{ allPosts(${args}) { id } }`)).codes).toEqual(['BAD_USER_INPUT allPosts']);
      },
    );

    it('the plain list, paged by ID, has every post once, newest first', async () => {
      const ids: string[] = [];
      for (let after: string | null = null; ; after = ids.at(-1) ?? null) {
        const { data } = await request<{ allPosts: readonly Post[] }>(
          'query ($after: String) { allPosts(first: 100, after: $after) { id } }',
          {
            after,
          },
        );
        if (!data?.allPosts.length) break;
        ids.push(...data.allPosts.map(({ id }) => id));
      }
      const { data } = await request<{ posts: { totalCount: number } }>('{ posts { totalCount } }');
      expect(ids).toHaveLength(data?.posts.totalCount ?? 0);
      expect(ids.map(Number)).toEqual(ids.map(Number).toSorted((left, right) => right - left));
    });

    it('lists have only items that match all filters', async () => {
      const tag = `tag ${randomUUID()}`.slice(0, 40);
      const { id } = await newPost({ tags: ['other', tag] });
      const list = async (filter: object) =>
        (
          await request<{ posts: { nodes: readonly Post[] } }>('query ($filter: PostFilter) { posts(filter: $filter) { nodes { id } } }', {
            filter,
          })
        ).data?.posts.nodes;
      expect(await list({ tag })).toEqual([{ id }]);
      expect(await list({ tag, authorId: '3' })).toEqual([{ id }]);
      expect(await list({ tag, authorId: '4' })).toEqual([]);
      expect(await list({ authorId: 'x' })).toEqual([]);
      expect((await list({ authorId: null, tag: null }))?.length).toBe(20);
    });

    it('posts and comments of 100 users take one statement per list', async () => {
      const of = Array.from({ length: 100 }, (_, index) => ({ __typename: 'User', id: String(index + 1) }));
      const responses: unknown[] = [];
      const statements = await stack().statementsOf(async () => {
        const { data, codes } = await request<{ _entities: readonly { posts: readonly { comments: { nodes: readonly unknown[] } }[] }[] }>(
          `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User {
            posts(first: 3) { id comments(first: 2) { totalCount nodes { id post { title } } pageInfo { hasNextPage } } }
          } } }`,
          { of },
        );
        responses.push(codes, data?._entities.length);
      });
      expect(responses).toEqual([[], 100]);
      // The statements read posts by author, comments by post, their counts, and posts by ID.
      expect(statements).toHaveLength(4);
    });

    it('references take one statement per type, and unknown ones are null', async () => {
      const of = ['1', '2', 'x', '99999999'].flatMap((id) => [
        { __typename: 'Post', id },
        { __typename: 'Comment', id },
      ]);
      const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Post { id } ... on Comment { id } } }';
      const statements = await stack().statementsOf(async () => {
        expect((await request(query, { of })).data).toEqual({
          _entities: [{ id: '1' }, { id: '1' }, { id: '2' }, { id: '2' }, null, null, null, null],
        });
      });
      expect(statements).toHaveLength(2);
    });
  });

  describe('subscriptions', () => {
    async function listen(query: string, as: Caller | undefined): Promise<AsyncGenerator<ExecutionResult>> {
      const { schema, createContext } = stack().subgraphs.posts;
      const caller = {
        kind: as ? ('user' as const) : ('anonymous' as const),
        id: as?.id ?? '',
        roles: new Set(as?.roles),
        scopes: new Set<string>(),
      };
      const stream = await subscribe({ schema, document: parse(query), contextValue: createContext(caller, 'test') });
      if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
      return stream;
    }

    it('stream the comments of the selected post in order', async () => {
      const [one, two] = [await newPost(), await newPost()];
      const stream = await listen(`subscription { commentAdded(postId: "${one.id}") { postId comment { body } } }`, undefined);
      for (const [{ id }, body] of [
        [one, 'first'],
        [two, 'elsewhere'],
        [one, 'second'],
      ] as const)
        await comment({ postId: id, body }, ADMIN);
      const heard = [await stream.next(), await stream.next()].map(({ value }) => value?.data);
      expect(heard).toEqual(['first', 'second'].map((body) => ({ commentAdded: { postId: one.id, comment: { body } } })));
      await stream.return(undefined);
    });

    it('include the created post in the event', async () => {
      const stream = await listen('subscription { postCreated { postId at post { title author { id } } } }', user('9'));
      const { id, title } = await newPost({ title: `Heard ${randomUUID()}` });
      const { value } = await stream.next();
      expect(value?.data).toMatchObject({ postCreated: { postId: id, post: { title, author: { id: '3' } } } });
      expect(await stream.return(undefined)).toMatchObject({ done: true });
    });
  });
});
