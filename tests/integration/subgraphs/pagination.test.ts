import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADMIN, describeOnSubgraphs } from '../../support/stack/subgraphs-stack.ts';

interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Page {
  readonly nodes: readonly Item[];
  readonly edges: readonly { readonly cursor: string; readonly node: Item }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
  readonly totalCount: number;
}

interface SortKey {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

/** The lists of the reference graph, with the GraphQL field of each sort value. */
const LISTS = [
  { subgraph: 'users', list: 'users', sort: 'UserSort', fields: { ID: 'id', NAME: 'name', CREATED_AT: 'createdAt' } },
  { subgraph: 'posts', list: 'posts', sort: 'PostSort', fields: { ID: 'id', TITLE: 'title', CREATED_AT: 'createdAt' } },
  { subgraph: 'catalogue', list: 'books', sort: 'BookSort', fields: { ID: 'id', TITLE: 'title', PRICE: 'price', CREATED_AT: 'createdAt' } },
  {
    subgraph: 'orders',
    list: 'orders',
    sort: 'OrderSort',
    fields: { ID: 'id', STATUS: 'status', TOTAL: 'total', CREATED_AT: 'createdAt' },
  },
] as const;

describeOnSubgraphs('pagination', (stack) => {
  const pageOf = async (
    { subgraph, list, sort, fields }: (typeof LISTS)[number],
    args: Readonly<Record<string, unknown>>,
  ): Promise<Page> => {
    const { data, text } = await stack().query<{ list: Page }>(subgraph, {
      query: `query ($first: Int, $after: String, $offset: Int, $sort: [${sort}!]) {
        list: ${list}(first: $first, after: $after, offset: $offset, sort: $sort) {
          nodes { ${Object.values(fields).join(' ')} } edges { cursor node { id } } totalCount
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        } }`,
      variables: args,
      as: ADMIN,
    });
    if (!data?.list) throw new Error(text);
    return data.list;
  };

  it.each(LISTS)('pages of $list by cursor join to the whole list in any sort order', async (list) => {
    const fields: Readonly<Record<string, string>> = list.fields;
    const sorts = fc.uniqueArray(
      fc.record<SortKey>({ field: fc.constantFrom(...Object.keys(fields)), direction: fc.constantFrom('ASC', 'DESC') }),
      { selector: ({ field }) => field, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(sorts, fc.integer({ min: 90, max: 100 }), async (sort, first) => {
        const items: Item[] = [];
        let page = await pageOf(list, { first, sort });
        const total = page.totalCount;
        for (;;) {
          expect(page.edges.map(({ node }) => node.id)).toEqual(page.nodes.map(({ id }) => id));
          expect([page.pageInfo.startCursor, page.pageInfo.endCursor]).toEqual([page.edges[0]?.cursor, page.edges.at(-1)?.cursor]);
          expect(page.pageInfo.hasPreviousPage).toBe(items.length > 0);
          items.push(...page.nodes);
          if (!page.pageInfo.hasNextPage) break;
          page = await pageOf(list, { first, sort, after: page.pageInfo.endCursor });
        }
        expect(items).toHaveLength(total);
        expect(items).toEqual(
          items.toSorted((left, right) =>
            compare(left, right, [...sort, { field: 'ID', direction: sort.at(-1)?.direction ?? 'ASC' }], fields),
          ),
        );
      }),
      { numRuns: 2 },
    );
  });

  it.each(LISTS)('any offset of $list returns that slice, and nothing past the end', async (list) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 60 }), async (offset, first) => {
        const whole = [...(await pageOf(list, { first: 100 })).nodes, ...(await pageOf(list, { first: 100, offset: 100 })).nodes];
        const { nodes, pageInfo, totalCount } = await pageOf(list, { first, offset });
        expect(nodes).toEqual(whole.slice(offset, offset + first));
        expect([pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([offset + first < totalCount, offset > 0]);
      }),
      { numRuns: 5 },
    );
    const behind = await pageOf(list, { offset: 10_000 });
    expect([behind.nodes, behind.pageInfo]).toEqual([
      [],
      { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    ]);
  });

  it('the next page starts at its cursor when rows are inserted around it', async () => {
    const [users] = LISTS;
    const sort = [{ field: 'NAME', direction: 'ASC' }];
    const first = await pageOf(users, { first: 5, sort });
    const second = await pageOf(users, { first: 5, sort, after: first.pageInfo.endCursor });
    for (const name of ['AAAA Before', `${String(second.nodes[0]?.['name'])} Behind`]) {
      await stack().query('users', {
        query: 'mutation ($input: CreateUserInput!) { createUser(input: $input) { errors { code } } }',
        variables: { input: { name, email: `${name.replaceAll(/[^a-z]/gi, '')}@example.org` } },
      });
    }
    const again = await pageOf(users, { first: 6, sort, after: first.pageInfo.endCursor });
    const ids = second.nodes.map(({ id }) => id);
    expect(again.nodes.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
    expect(again.nodes).toHaveLength(6);
  });

  it.each(LISTS)('a forged cursor of $list returns BAD_USER_INPUT', async (list) => {
    const forged = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text).toString('base64url')),
      fc
        .array(fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.boolean(), fc.integer()))
        .filter((parts) => !(parts.length === 1 && /^[1-9]\d*$/.test(String(parts[0])))) // A random value may be a valid cursor.
        .map((parts) => encode('ID ASC', ...parts)),
      fc.constantFrom(
        encode('ID ASC', '0'),
        encode('ID ASC', '9223372036854775808'),
        encode('ID ASC', "1' or 1=1"),
        encode('ID ASC'),
        encode('ID ASC', '1', 0),
        'x'.repeat(5_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(forged, async (after) => {
        const { codes } = await stack().query(list.subgraph, {
          query: `query ($after: String) { list: ${list.list}(after: $after, sort: [{ field: ID }]) { nodes { id } } }`,
          variables: { after },
          as: ADMIN,
        });
        expect(codes).toEqual(['BAD_USER_INPUT list']);
      }),
      { numRuns: 30 },
    );
  });

  it.each(['+012345-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-02-30T99:00:00.000Z', '1', ''])(
    'a cursor forged with the instant %j is rejected without a statement',
    async (instant) => {
      const statements = await stack().statementsOf(async () => {
        const args = { sort: [{ field: 'CREATED_AT', direction: 'ASC' }], after: encode('CREATED_AT ASC', instant, '1') };
        await expect(pageOf(LISTS[1], args)).rejects.toThrow('is not a cursor of this list');
      });
      expect(statements).toEqual([]);
    },
  );

  it.each([
    ['users', '{ list: users(filter: { name: $text }) { nodes { id } totalCount } }'],
    ['posts', '{ list: posts(filter: { tag: $text }) { nodes { id } totalCount } }'],
    ['catalogue', '{ list: books(filter: { author: $text }) { nodes { id } totalCount } }'],
  ] as const)('filtering %s by text that cannot be stored returns an empty list', async (subgraph, list) => {
    for (const text of ['a\u0000', '\ud800']) {
      const { data, codes } = await stack().query(subgraph, { query: `query ($text: String) ${list}`, variables: { text } });
      expect([data, codes]).toEqual([{ list: { nodes: [], totalCount: 0 } }, []]);
    }
  });

  it('a cursor of another sort order returns BAD_USER_INPUT', async () => {
    const { pageInfo } = await pageOf(LISTS[1], { sort: [{ field: 'TITLE', direction: 'ASC' }] });
    await expect(pageOf(LISTS[1], { after: pageInfo.endCursor })).rejects.toThrow('BAD_USER_INPUT');
  });
});

function encode(...parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function compare(left: Item, right: Item, sort: readonly SortKey[], fields: Readonly<Record<string, string>>): number {
  for (const { field, direction } of sort) {
    const name = fields[field] ?? 'id';
    const order = compareValues(toComparable(name, left[name]), toComparable(name, right[name]));
    if (order !== 0) return direction === 'ASC' ? order : -order;
  }
  return 0;
}

/** Converts a field for comparison. IDs are numbers written as text, and other text is ordered by its bytes. */
function toComparable(name: string, value: unknown): number | Buffer {
  if (name === 'id' || typeof value === 'number') return Number(value);
  return Buffer.from(String(value));
}

function compareValues(left: number | Buffer, right: number | Buffer): number {
  return typeof left === 'number' || typeof right === 'number' ? Number(left) - Number(right) : Buffer.compare(left, right);
}
