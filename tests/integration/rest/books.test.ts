import { describe, expect, it } from '@jest/globals';
import { expectFields, expectJson, expectPage, expectError, MOUNTS, type Page } from '../../support/rest/rest-expectations.ts';
import { describeOnStack, uniqueName } from '../../support/stack/shared-stack.ts';

interface RestBook {
  readonly id: number;
  readonly title: string;
  readonly price: number;
}

const BOOK = {
  id: expect.any(Number),
  title: expect.any(String),
  author: expect.any(String),
  price: expect.any(Number),
  inStock: expect.any(Boolean),
};
const MORE_OF_BOOK = ['version', 'createdAt', 'updatedAt'];

describeOnStack('books as resources', ({ http, tokens }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const path = `${mount}/books`;

    describe('GET /books/{book_id}', () => {
      it('returns 404 for an unknown book', async () => {
        expectError(await http.get(`${path}/999999999`), 404, 'NOT_FOUND');
      });

      it('returns the book to an anonymous caller', async () => {
        const response = await http.get(`${path}/1`);
        expectJson(response, 200);
        expectFields(response.body, { ...BOOK, id: 1 }, MORE_OF_BOOK);
      });
    });

    describe('GET /books', () => {
      it('returns 20 of at least 500 books without parameters', async () => {
        const response = await http.get<Page<RestBook>>(path);
        expectJson(response, 200);
        expect(response.body).toMatchObject({ page: 1, pageSize: 20 });
        expect(response.body.data).toHaveLength(20);
        expect(response.body.totalElements).toBeGreaterThanOrEqual(500);
        expect(response.body.totalPages).toBe(Math.ceil(response.body.totalElements / 20));
        for (const book of response.body.data) expectFields(book, BOOK, MORE_OF_BOOK);
      });

      it('sorts in descending order with a minus sign, and in ascending order without', async () => {
        const prices = async (sort: string) =>
          (await http.get<Page<RestBook>>(`${path}?sort=${sort}&size=100`)).body.data.map(({ price }) => price);
        const [up, down] = await Promise.all([prices('price'), prices('-price')]);
        expect(up).toEqual([...up].sort((a, b) => a - b));
        expect(down).toEqual([...down].sort((a, b) => b - a));
        expect(Math.min(...down)).toBeGreaterThan(Math.min(...up));
      });

      it('returns an empty page with 200 past the end', async () => {
        const response = await http.get<Page<RestBook>>(`${path}?page=99&size=100`);
        expectPage(response, { page: 99, pageSize: 100 });
        expect(response.body.data).toEqual([]);
      });
    });

    describe('POST /books', () => {
      const book = () => ({ title: uniqueName('A book'), author: 'A. Writer', price: 12.5, inStock: false });

      it('returns 401 without credentials', async () => {
        expectError(await http.post(path, book()), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 for a user', async () => {
        expectError(await http.post(path, book(), { token: tokens.user1 }), 403, 'FORBIDDEN');
      });

      it.each<[string, Readonly<Record<string, unknown>>]>([
        ['without a title', { title: undefined }],
        ['with an empty title', { title: '' }],
        ['with a title of 201 characters', { title: 'x'.repeat(201) }],
        ['with a title that is not text', { title: 5 }],
        ['with a price below zero', { price: -0.01 }],
        ['with a price of three decimals', { price: 1.001 }],
        ['with a price beyond the limit', { price: 100_000.01 }],
        ['with a price as text', { price: '12.50' }],
        ['with inStock as text', { inStock: 'yes' }],
        ['with inStock null', { inStock: null }],
        ['with NUL in the title', { title: 'a\u0000b' }],
        ['with an id', { id: 5 }],
      ])('returns 400 for a body %s from an administrator', async (_title, change) => {
        expectError(await http.post(path, { ...book(), ...change }, { token: tokens.admin }), 400, 'BAD_USER_INPUT');
      });

      it('returns 201 with the book, and its Location, to an administrator', async () => {
        const sent = { ...book(), title: uniqueName('Ünïcödé 書籍 📚 "quoted" \\ </script>') };
        const response = await http.post<RestBook>(path, sent, { token: tokens.admin });
        expectJson(response, 201);
        expectFields(response.body, { ...BOOK, ...sent }, MORE_OF_BOOK);
        expect(response.headers['location']).toBe(`${path}/${String(response.body.id)}`);
        expect((await http.get(String(response.headers['location']))).body).toEqual(response.body);
      });

      it('applies the default of `inStock`', async () => {
        const { inStock: _, ...rest } = book();
        expect((await http.post(path, rest, { token: tokens.admin })).body).toMatchObject({ inStock: true });
      });
    });
  });
});
