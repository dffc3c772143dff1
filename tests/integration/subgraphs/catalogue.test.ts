import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ADMIN, type GraphResponse, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly inStock: boolean;
  readonly version: number;
}

interface Payload {
  readonly book: Book | null;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
}

const BOOK = '{ id title author price inStock version }';
const PAYLOAD = `{ book ${BOOK} errors { field code } }`;
const MUTATIONS = {
  create: `mutation ($input: CreateBookInput!, $key: String) { result: createBook(input: $input, idempotencyKey: $key) ${PAYLOAD} }`,
  update: `mutation ($id: ID!, $patch: UpdateBookInput!, $version: Int) { result: updateBook(id: $id, patch: $patch, expectedVersion: $version) ${PAYLOAD} }`,
  replace: `mutation ($id: ID!, $content: ReplaceBookInput!, $version: Int) { result: replaceBook(id: $id, input: $content, expectedVersion: $version) ${PAYLOAD} }`,
  remove: `mutation ($id: ID!, $version: Int) { result: deleteBook(id: $id, expectedVersion: $version) ${PAYLOAD} }`,
};
const NEW_BOOK = { title: 'A Title', author: 'An Author', price: 12.5 };

describeOnSubgraphs('the catalogue', (stack) => {
  const query = <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}, as?: Caller) =>
    stack().query<Data>('catalogue', { query, variables, as });
  const mutate = (name: keyof typeof MUTATIONS, variables: Readonly<Record<string, unknown>>, as: Caller | undefined = ADMIN) =>
    query<{ result: Payload }>(MUTATIONS[name], variables, as);
  const userErrors = ({ data }: GraphResponse<{ result: Payload }>) => data?.result.errors.map(({ field, code }) => `${code} ${field}`);
  const read = async (id: string) => (await query<{ book: Book | null }>(`query ($id: ID!) { book(id: $id) ${BOOK} }`, { id })).data?.book;

  async function newBook(input: object = {}): Promise<Book> {
    const { data, text } = await mutate('create', { input: { ...NEW_BOOK, ...input } });
    if (!data?.result.book) throw new Error(text);
    return data.result.book;
  }

  describe('permissions', () => {
    it.each(Object.keys(MUTATIONS) as (keyof typeof MUTATIONS)[])('allows only administrators to %s a book', async (name) => {
      const variables = { id: '1', input: NEW_BOOK, patch: { price: 1 }, content: NEW_BOOK };
      const before = await read('1');
      const anonymous = await stack().query('catalogue', { query: MUTATIONS[name], variables });
      expect([anonymous.data, anonymous.codes]).toEqual([null, ['UNAUTHENTICATED result']]);
      expect((await mutate(name, variables, user('1'))).codes).toEqual(['FORBIDDEN result']);
      expect(await read('1')).toEqual(before);
    });

    it('returns books to anonymous callers', async () => {
      const { data, codes } = await query<{ books: { nodes: readonly Book[]; totalCount: number } }>(
        '{ book(id: "1") { title createdAt updatedAt } books { nodes { id } totalCount } }',
      );
      expect(codes).toEqual([]);
      expect(data?.books.nodes).toHaveLength(20);
    });
  });

  describe('lists', () => {
    it.each(['first: 0', 'first: 101', 'offset: -1', 'offset: 10001', 'after: "x"', 'sort: [{ field: PRICE }, { field: PRICE }]'])(
      'reject %s with BAD_USER_INPUT',
      async (args) => {
        expect((await query(`{ books(${args}) { nodes { id } } }`)).codes).toEqual(['BAD_USER_INPUT books']);
      },
    );

    it('filter by author, exactly except for letter case', async () => {
      const { author } = await newBook({ author: `Ærne ${randomUUID()}` });
      const by = async (name: string) =>
        (
          await query<{ books: { totalCount: number } }>('query ($name: String) { books(filter: { author: $name }) { totalCount } }', {
            name,
          })
        ).data?.books.totalCount;
      expect(await by(`${author}\u0000`)).toBe(0);
      expect(await by(author.slice(0, -1))).toBe(0);
      expect(await by(author.toUpperCase())).toBe(1);
    });

    it('list every book once in each sort order when paged by cursor', async () => {
      for (const sort of [
        '{ field: PRICE, direction: DESC }',
        '{ field: TITLE }',
        '{ field: CREATED_AT, direction: DESC }',
        '{ field: ID }',
      ]) {
        const ids: string[] = [];
        let after: string | null = null;
        do {
          const {
            data,
          }: GraphResponse<{ books: { nodes: readonly Book[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } }> =
            await query(
              `query ($after: String) { books(first: 100, after: $after, sort: [${sort}], filter: { inStock: true }) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
              { after },
            );
          ids.push(...(data?.books.nodes.map(({ id }) => id) ?? []));
          after = data?.books.pageInfo.hasNextPage === true ? data.books.pageInfo.endCursor : null;
        } while (after !== null);
        const { data } = await query<{ books: { totalCount: number } }>('{ books(filter: { inStock: true }) { totalCount } }');
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toHaveLength(data?.books.totalCount ?? 0);
      }
    });

    it('resolve 100 references with one statement, and unknown ones to null', async () => {
      const representations = Array.from({ length: 100 }, (_, index) => ({
        __typename: 'Book',
        id: index === 50 ? '99999999' : String(index + 1),
      }));
      const responses: GraphResponse<{ _entities: readonly unknown[] }>[] = [];
      const statements = await stack().statementsOf(async () => {
        responses.push(
          await query('query ($of: [_Any!]!) { _entities(representations: $of) { ... on Book { title } } }', { of: representations }),
        );
      });
      expect(statements).toHaveLength(1);
      expect(responses[0]?.data?._entities.flatMap((entity, index) => (entity === null ? [index] : []))).toEqual([50]);
    });
  });

  describe('creating', () => {
    it.each([
      [{ title: '' }, ['BAD_USER_INPUT input.title']],
      [{ title: 'a\u0000b', price: -1 }, ['BAD_USER_INPUT input.title', 'BAD_USER_INPUT input.price']],
      [{ author: 'x'.repeat(101) }, ['BAD_USER_INPUT input.author']],
      [{ price: 1.001 }, ['BAD_USER_INPUT input.price']],
      [{ price: 100_000.01 }, ['BAD_USER_INPUT input.price']],
    ])('%j produces the payload errors %j', async (change, expected) => {
      const response = await mutate('create', { input: { ...NEW_BOOK, ...change } });
      expect([response.data?.result.book, userErrors(response)]).toEqual([null, expected]);
    });

    it('stores the exact price and the default of `inStock`', async () => {
      const { id } = await newBook({ price: 99_999.99, title: '書籍 📚 "quoted" \\ </script>' });
      expect(await read(id)).toEqual({
        id,
        title: '書籍 📚 "quoted" \\ </script>',
        author: 'An Author',
        price: 99_999.99,
        inStock: true,
        version: 1,
      });
    });

    it('creates one book for 100 requests with one key, and rejects another input', async () => {
      const key = randomUUID();
      const input = { ...NEW_BOOK, title: key };
      const responses = await Promise.all(Array.from({ length: 100 }, () => mutate('create', { input, key })));
      expect(new Set(responses.map(({ data }) => data?.result.book?.id)).size).toBe(1);
      expect(userErrors(await mutate('create', { input: { ...input, price: 1 }, key }))).toEqual(['IDEMPOTENCY_KEY_REUSED idempotencyKey']);
    });
  });

  describe('changing', () => {
    it.each(['update', 'replace', 'remove'] as const)('%s of an unknown book returns NOT_FOUND in the payload', async (name) => {
      for (const id of ['99999999', 'x'])
        expect(userErrors(await mutate(name, { id, patch: { price: 1 }, content: NEW_BOOK }))).toEqual(['NOT_FOUND id']);
    });

    it.each(['update', 'replace', 'remove'] as const)('%s with an outdated version changes nothing', async (name) => {
      const book = await newBook();
      const response = await mutate(name, { id: book.id, patch: { price: 1 }, content: { ...NEW_BOOK, price: 1 }, version: 7 });
      expect(userErrors(response)).toEqual(['VERSION_MISMATCH expectedVersion']);
      expect(await read(book.id)).toEqual(book);
    });

    it('a patch with null names the fields and changes nothing', async () => {
      const book = await newBook();
      expect(userErrors(await mutate('update', { id: book.id, patch: { title: null, inStock: null, price: 1 } }))).toEqual([
        'BAD_USER_INPUT patch.title',
        'BAD_USER_INPUT patch.inStock',
      ]);
      expect(await read(book.id)).toEqual(book);
    });

    it('white space around title and author is removed', async () => {
      const book = await newBook({ title: ' Tidal Harbour\n', author: '\tGreta Galanis ' });
      expect(book).toMatchObject({ title: 'Tidal Harbour', author: 'Greta Galanis' });
      const { data } = await mutate('update', { id: book.id, patch: { title: ' Tidal Harbour' } });
      expect(data?.result.book).toEqual(book);
    });

    it('a patch retains other fields, and repeating it creates no version', async () => {
      const book = await newBook({ inStock: false });
      const patched = { ...book, price: 3, version: 2 };
      expect((await mutate('update', { id: book.id, patch: { price: 3 }, version: 1 })).data?.result.book).toEqual(patched);
      expect((await mutate('update', { id: book.id, patch: { price: 3 } })).data?.result.book).toEqual(patched);
    });

    it('a replacement without `inStock` restores the default', async () => {
      const book = await newBook({ inStock: false });
      const content = { title: 'Another', author: 'Other', price: 1 };
      expect((await mutate('replace', { id: book.id, content })).data?.result.book).toEqual({
        id: book.id,
        ...content,
        inStock: true,
        version: 2,
      });
    });

    it('deleting a book returns its last state, and the book no longer exists', async () => {
      const book = await newBook();
      expect((await mutate('remove', { id: book.id, version: 1 })).data?.result.book).toEqual(book);
      expect(await read(book.id)).toBeNull();
      expect(userErrors(await mutate('remove', { id: book.id }))).toEqual(['NOT_FOUND id']);
    });

    it('exactly one of 20 writers with the same version succeeds', async () => {
      const { id, version } = await newBook();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => mutate('update', { id, patch: { price: index + 20 }, version })),
      );
      expect(responses.filter(({ data }) => data?.result.book !== null)).toHaveLength(1);
      expect((await read(id))?.version).toBe(2);
    });
  });
});
