import { describe, expect, it } from '@jest/globals';
import { expectJson, expectError, MOUNTS, type Page } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface CursorPage<Item> {
  readonly data: readonly Item[];
  readonly nextCursor?: string | null;
  readonly hasNext?: boolean;
}

interface Item {
  readonly id: number;
}

describeOnStack('query parameters', ({ http, tokens }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const books = `${mount}/books`;

    it.each([
      ['size=0'],
      ['size=-1'],
      ['size=1.5'],
      ['size=abc'],
      ['size='],
      ['size=1e1'],
      ['size=0x10'],
      ['size=%2010'],
      ['size=10%00'],
      ['size=99999999999999999999'],
      ['page=0'],
      ['page=-1'],
      ['page=one'],
      ['page='],
      ['limit=0'],
      ['limit=-5'],
      ['limit=x'],
      ['first=0'],
      ['first=-1'],
      ['first=x'],
      ['after=nonsense'],
      ['after=%00'],
      ['after='],
      ['sort=nonsense'],
      ['sort=-'],
      ['sort='],
      ['sort=id;drop'],
      ['sort=--id'],
      ['sort=ID'],
      ['sort=id,,title'],
      ['sort=__proto__'],
      ['sort=constructor'],
      ['size=10&size=20'],
      ['page=1&page=1'],
      ['sort=id&sort=title'],
      ['fields=nonsense'],
      ['fields=id%7D__schema%7Btypes%7Bname'],
      ['fields=id,'],
      ['fields='],
      ['fields=__typename'],
      ['fields=__proto__'],
    ])('a book list returns 400 with the parameter name for ?%s', async (query) => {
      const response = await http.get(`${books}?${query}`);
      expectError(response, 400, 'INVALID_PARAMETER');
      expect(response.text).toContain(query.slice(0, query.indexOf('=')));
    });

    it.each([
      'unknown=1',
      'Size=10',
      'SIZE=10',
      'page[]=1',
      'page%5B%5D=1',
      'size%00=1',
      '__proto__=1',
      'constructor=1',
      'status=PENDING',
      'offset=5',
      '=',
      '=1',
      '%F0%9F%92%A9=1',
      'qty',
    ])('a book list returns 400 for the unknown parameter ?%s', async (query) => {
      expectError(await http.get(`${books}?${query}`), 400, 'UNKNOWN_PARAMETER');
    });

    it.each(['', '&', '&&'])('a list ignores the empty query ?%s', async (query) => {
      expectJson(await http.get(`${books}?${query}`), 200);
    });

    it('a single resource returns 400 for an unknown parameter', async () => {
      expectError(await http.get(`${books}/1?page=1`), 400, 'UNKNOWN_PARAMETER');
    });

    it.each(['token', 'access_token', 'api_key', 'password'])(
      'returns 400 for the secret in ?%s= and does not repeat its value',
      async (name) => {
        const response = await http.get(`${books}?${name}=hunter2`);
        expect(response.status).toBe(400);
        expect(response.text).not.toContain('hunter2');
      },
    );

    it.each(['%', '%zz', 'size=%', 'size=%C0%AF', 'fields=%FF'])('returns 400 for the malformed percent-encoding ?%s', async (query) => {
      expect((await http.get(`${books}?${query}`)).status).toBe(400);
    });

    it.each([['page=1&first=5'], ['page=2&after=x'], ['size=5&after=x'], ['size=5&first=5'], ['limit=5&after=x'], ['limit=5&first=5']])(
      'returns 400 when page numbers and cursors are mixed (?%s)',
      async (query) => {
        expectError(await http.get(`${books}?${query}`), 400, 'PAGINATION_CONFLICT');
      },
    );

    it.each(['page=502&size=20', 'page=1000000000', 'page=9007199254740991', 'page=102&size=100', 'page=2147483647&size=100'])(
      'returns 400 for a page beyond the 10,000th item (?%s)',
      async (query) => {
        expectError(await http.get(`${books}?${query}`), 400, 'PAGE_TOO_DEEP');
      },
    );

    it('page=501 reaches the 10,000th item', async () => {
      expectJson(await http.get(`${books}?page=501&size=20`), 200);
    });

    it.each([
      ['size=7', 7],
      ['limit=7', 7],
      ['size=7&limit=3', 3],
      ['size=3&limit=7', 3],
      ['size=100', 100],
      ['size=101', 100],
      ['size=100000', 100],
      ['limit=2147483647', 100],
    ])('?%s returns a page of %d items and reports its size', async (query, expected) => {
      const { body } = await http.get<Page<Item>>(`${books}?${query}`);
      expect({ pageSize: body.pageSize, items: body.data.length, page: body.page }).toEqual({
        pageSize: expected,
        items: expected,
        page: 1,
      });
    });

    it('pages by cursor list the same books as pages by number', async () => {
      const byCursor: number[] = [];
      let after: string | undefined;
      for (let round = 0; round < 4; round += 1) {
        const query = after === undefined ? 'first=10' : `first=10&after=${encodeURIComponent(after)}`;
        const response = await http.get<CursorPage<Item>>(`${books}?${query}&sort=-price`);
        expectJson(response, 200);
        expect(response.body).not.toHaveProperty('page');
        expect(response.body).not.toHaveProperty('totalPages');
        expect(response.body.hasNext).toBe(true);
        byCursor.push(...response.body.data.map(({ id }) => id));
        after = response.body.nextCursor ?? '';
      }
      const { body } = await http.get<Page<Item>>(`${books}?size=40&sort=-price`);
      expect(byCursor).toEqual(body.data.map(({ id }) => id));
    });

    it('accepts or rejects a cursor of another sort order without a server error', async () => {
      const { body } = await http.get<CursorPage<Item>>(`${books}?first=2&sort=title`);
      const response = await http.get(`${books}?first=2&sort=-price&after=${encodeURIComponent(String(body.nextCursor))}`);
      expect([200, 400]).toContain(response.status);
    });

    it('a forged cursor returns 400 with the parameter name', async () => {
      const response = await http.get(`${books}?first=2&after=forged`);
      expectError(response, 400, 'INVALID_PARAMETER');
      expect(response.body).toMatchObject({ details: [{ field: 'after', message: '`after` is not a cursor of this list.' }] });
    });

    it.each([
      ['status=LOST', 'INVALID_PARAMETER'],
      ['status=pending', 'INVALID_PARAMETER'],
      ['status=', 'INVALID_PARAMETER'],
      ['status=PENDING,', 'INVALID_PARAMETER'],
      ['userId=abc', 'INVALID_PARAMETER'],
      ['userId=', 'INVALID_PARAMETER'],
      ['userId=1&userId=2', 'INVALID_PARAMETER'],
      ['sort=title', 'INVALID_PARAMETER'],
      ['user_id=1', 'UNKNOWN_PARAMETER'],
      ['filter=x', 'UNKNOWN_PARAMETER'],
    ])('an order list with ?%s returns 400 %s', async (query, code) => {
      expectError(await http.get(`${mount}/orders?${query}`, { token: tokens.admin }), 400, code);
    });

    it('returns exactly the fields that `fields` selects', async () => {
      expect((await http.get(`${books}/1?fields=id,title`)).body).toEqual({ id: 1, title: expect.any(String) });
      const { body } = await http.get<Page<Item>>(`${books}?fields=id&size=2`);
      expect(body.data).toEqual([{ id: 1 }, { id: 2 }]);
      expect(body.totalElements).toBeGreaterThanOrEqual(500);
    });

    it('the order of `fields` does not change the response', async () => {
      const [one, other] = await Promise.all([http.get(`${books}/1?fields=title,id`), http.get(`${books}/1?fields=id,title`)]);
      expect(one.text).toBe(other.text);
    });

    it('naming a private field returns 401 or 403 without permission', async () => {
      expectError(await http.get(`${mount}/users/1?fields=id,email`), 401, 'UNAUTHENTICATED');
      expectError(await http.get(`${mount}/users/1?fields=email`, { token: tokens.user2 }), 403, 'FORBIDDEN');
      expect((await http.get(`${mount}/users/1?fields=email`, { token: tokens.user1 })).body).toEqual({ email: expect.any(String) });
    });

    it('returns 400 for more than the maximum number of fields', async () => {
      expectError(await http.get(`${books}/1?fields=${Array.from({ length: 51 }, () => 'id').join()}`), 400, 'INVALID_PARAMETER');
    });
  });
});
