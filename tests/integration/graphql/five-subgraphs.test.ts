import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/shared-stack.ts';

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
  it('given the token of user 1, when asked for, then every subgraph adds its part and nothing is missing', async () => {
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

  it('given the same query, when asked twice, then the answers are equal byte for byte', async () => {
    const [one, other] = await Promise.all([graphql(QUERY, { token: tokens.user1 }), graphql(QUERY, { token: tokens.user1 })]);
    expect(one.text).toBe(other.text);
  });

  it('given the answer, when read, then the keys stand in the order in which they were asked for', async () => {
    const { text } = await graphql('{ user(id: "1") { createdAt posts(first: 1) { body id title } name id } }');
    const keys = [...text.matchAll(/"(createdAt|posts|body|title|name|id)":/g)].map(([, key]) => key);
    expect(keys).toEqual(['createdAt', 'posts', 'body', 'id', 'title', 'name', 'id']);
  });

  it('given no token, when asked for, then what is public is there and the orders are one UNAUTHENTICATED', async () => {
    const { status, data, errors, codes } = await graphql<FiveSubgraphs>(QUERY);
    expect({ status, codes }).toEqual({ status: 200, codes: ['UNAUTHENTICATED'] });
    expect(errors?.[0]?.path).toEqual(['user', 'orders']);
    expect(data?.user?.orders).toBeNull();
    expect(data?.user?.posts.length).toBeGreaterThan(0);
  });

  it('given GET, when asked for, then the answer is the same as by POST', async () => {
    const byGet = await http.get(`/graphql?query=${encodeURIComponent(QUERY)}`, { token: tokens.user1 });
    const byPost = await graphql(QUERY, { token: tokens.user1 });
    expect(byGet.status).toBe(200);
    expect(byGet.text).toBe(byPost.text);
  });

  it('given the search for a word, when entities of three subgraphs are found, then each has the fields of its owner', async () => {
    const { data, errors } = await graphql<{
      search: readonly { __typename: string; id: string; name?: string; title?: string; body?: string }[];
    }>('{ search(term: "a", first: 60) { __typename ... on User { id name } ... on Post { id title } ... on Comment { id body } } }');
    expect(errors).toBeUndefined();
    expect(new Set(data?.search.map(({ __typename }) => __typename)).size).toBeGreaterThan(1);
    for (const found of data?.search ?? []) expect(found.name ?? found.title ?? found.body).toMatch(/\S/);
  });
});
