import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface FiveSubgraphs {
  readonly user: {
    readonly name: string;
    readonly posts: readonly { readonly title: string }[];
    readonly orders: {
      readonly nodes: readonly {
        readonly status: string;
        readonly product: { readonly title: string } | null;
        readonly shipment: { readonly carrier: string } | null;
      }[];
    } | null;
  } | null;
}

const QUERY = 'query { user(id: "1") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }';

describeOnStack('one query over five subgraphs', ({ graphql, http, tokens }) => {
  it('returns data of every subgraph to user 1 without errors', async () => {
    const { status, data, errors } = await graphql<FiveSubgraphs>(QUERY, { token: tokens.user1 });
    expect(errors).toBeUndefined();
    expect(status).toBe(200);
    const user = data?.user;
    expect(user?.name).toMatch(/\S/);
    expect(user?.posts.length).toBeGreaterThan(0);
    for (const { title } of user?.posts ?? []) expect(title).toMatch(/\S/);
    const nodes = user?.orders?.nodes ?? [];
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.some(({ product }) => product !== null && product.title !== '')).toBe(true);
    const shipped = nodes.filter(({ shipment }) => shipment !== null);
    expect(shipped.length).toBeGreaterThan(0);
    for (const { status: of, shipment } of nodes) {
      if (shipment !== null) expect(shipment.carrier).toMatch(/\S/);
      if (of === 'PENDING') expect(shipment).toBeNull();
    }
  });

  it('returns equal bytes each time', async () => {
    const [one, other] = await Promise.all([graphql(QUERY, { token: tokens.user1 }), graphql(QUERY, { token: tokens.user1 })]);
    expect(one.text).toBe(other.text);
  });

  it('returns keys in the order of the selections', async () => {
    const { text } = await graphql('{ user(id: "1") { createdAt posts(first: 1) { body id title } name id } }');
    const keys = [...text.matchAll(/"(createdAt|posts|body|title|name|id)":/g)].map(([, key]) => key);
    expect(keys).toEqual(['createdAt', 'posts', 'body', 'id', 'title', 'name', 'id']);
  });

  it('returns public data and one UNAUTHENTICATED error without a token', async () => {
    const { status, data, errors, codes } = await graphql<FiveSubgraphs>(QUERY);
    expect({ status, codes }).toEqual({ status: 200, codes: ['UNAUTHENTICATED'] });
    expect(errors?.[0]?.path).toEqual(['user', 'orders']);
    expect(data?.user?.orders).toBeNull();
    expect(data?.user?.posts.length).toBeGreaterThan(0);
  });

  it('returns the same response by GET and by POST', async () => {
    const byGet = await http.get(`/graphql?query=${encodeURIComponent(QUERY)}`, { token: tokens.user1 });
    const byPost = await graphql(QUERY, { token: tokens.user1 });
    expect(byGet.status).toBe(200);
    expect(byGet.text).toBe(byPost.text);
  });

  it('returns entities of several subgraphs in a search with the fields of their owners', async () => {
    const user = await graphql<{ user: { name: string } }>('{ user(id: "1") { name } }');
    const { data, errors } = await graphql<Readonly<Record<'users' | 'words', readonly Found[]>>>(
      `query ($name: String!) {
        users: search(term: $name, first: 100) { ...F }
        words: search(term: "night", first: 100) { ...F }
      }
      fragment F on SearchResult { __typename ... on User { id name } ... on Post { id title } ... on Comment { id body } }`,
      { variables: { name: user.data?.user.name } },
    );
    expect(errors).toBeUndefined();
    const found = [...(data?.users ?? []), ...(data?.words ?? [])];
    expect(new Set(found.map(({ __typename }) => __typename))).toEqual(new Set(['User', 'Post', 'Comment']));
    for (const { name, title, body } of found) expect(name ?? title ?? body).toMatch(/\S/);
  });
});

interface Found {
  readonly __typename: string;
  readonly id: string;
  readonly name?: string;
  readonly title?: string;
  readonly body?: string;
}
