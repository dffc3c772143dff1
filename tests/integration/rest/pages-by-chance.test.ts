import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { createRandom, type Random } from '../../support/random/random.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

/** Seed of the random choices. The environment can set it, and the title shows the current value. */
const SEED = Number(process.env['PAGES_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const ROUNDS = 3;
/** Maximum number of items that are read of a list, because some lists have hundreds. */
const DEPTH = 60;

/** Number of comparisons until a difference counts as an error. A real one is the same each time. */
const MAX_ATTEMPTS = 5;

interface Walk {
  readonly items: readonly unknown[];
  /** Total number of items that each page reports. */
  readonly totals: readonly number[];
}

/** Lists to which no other test adds items, and their sort keys. */
const LISTS: readonly (readonly [path: string, sorts: readonly string[]])[] = [
  ['/users/1/orders', ['id', 'createdAt', 'total', 'status']],
  ['/v2/users/1/orders', ['id', 'createdAt', 'total', 'status']],
  ['/posts?userId=2', ['id', 'title', 'createdAt']],
  ['/books', ['id', 'title', 'price', 'createdAt']],
  ['/api/users', ['id', 'name', 'createdAt']],
];

describeOnStack(`random pages, seed ${String(SEED)}`, (stack) => {
  const { http, tokens, subgraphUrls, developmentKey, identitySecret } = stack;
  const token = tokens.admin;
  let gateway: RunningGateway;
  let wide: HttpClient;

  beforeAll(async () => {
    const documents = join(packageRoot, 'tests/fixtures/wide-resources');
    gateway = await startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, documents });
    wide = createHttpClient({ origin: gateway.url, described: [gateway.url] });
  });
  afterAll(async () => gateway[Symbol.asyncDispose]());

  /** Follows the `next` links to the end of the list or to the maximum depth. */
  async function follow(client: HttpClient, first: string): Promise<Walk> {
    const items: unknown[] = [];
    const totals: number[] = [];
    for (let path: string | undefined = first; path !== undefined && items.length < DEPTH; ) {
      const response: HttpResponse<unknown> = await client.get<unknown>(path, { token });
      if (response.status !== 200) throw new Error(`${path} returned ${String(response.status)}: ${response.text}`);
      items.push(...itemsOf(response.body));
      totals.push(Number(response.headers['x-total-count']));
      path = linkTo('next', response);
    }
    return { items: items.slice(0, DEPTH), totals };
  }

  /** Reads the same list as one page of the maximum size. */
  async function inOnePiece(client: HttpClient, path: string): Promise<readonly unknown[]> {
    const { body } = await client.get<unknown>(`${path}size=100`, { token });
    return itemsOf(body).slice(0, DEPTH);
  }

  const sortsOf = (keys: readonly string[], random: Random): string => {
    const key = random.pick(keys);
    const others = keys.filter((other) => other !== key && random.chance(0.4));
    return [key, ...others].map((name) => (random.chance(0.5) ? `-${name}` : name)).join(',');
  };

  async function checkList(client: HttpClient, list: string, sorts: readonly string[]): Promise<void> {
    const random = createRandom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = `${list}${list.includes('?') ? '&' : '?'}sort=${sortsOf(sorts, random)}&`;
      const size = 3 + random.below(25);
      let whole = await inOnePiece(client, path);
      for (let attempts = 1; ; attempts += 1) {
        const byNumbers = await follow(client, `${path}size=${String(size)}`);
        const byCursors = await follow(client, `${path}first=${String(size)}`);
        const after = await inOnePiece(client, path);
        // Another test may create an item and delete it while the pages are read. The whole list is then the same before and after.
        const isChanged = JSON.stringify(after) !== JSON.stringify(whole);
        const isSame = JSON.stringify([byNumbers.items, byCursors.items]) === JSON.stringify([whole, whole]);
        if (isChanged || (!isSame && attempts < MAX_ATTEMPTS)) {
          whole = after;
          continue;
        }
        expect({ path, size, items: byNumbers.items }).toEqual({ path, size, items: whole });
        expect({ path, size, items: byCursors.items }).toEqual({ path, size, items: whole });
        expect(whole.length).toBeGreaterThan(0);
        for (const total of [...byNumbers.totals, ...byCursors.totals]) expect(total).toBeGreaterThanOrEqual(whole.length);
        break;
      }
    }
  }

  it.each(LISTS)('joined pages of %s equal the whole list, by page number and by cursor', async (list, sorts) =>
    checkList(http, list, sorts),
  );

  describe('a connection that is exposed as a bare list', () => {
    it('joined pages equal the whole list, by page number and by cursor', async () =>
      checkList(wide, '/bare-books', ['id', 'title', 'price', 'createdAt']));

    it.each(['/bare-books', '/api/bare-books', '/v1/bare-books', '/api/v1/bare-books'])(
      '%s sends totals and page links in headers and retains the query',
      async (path) => {
        const response = await wide.get<readonly unknown[]>(`${path}?size=7&page=2&sort=-price`);
        expect(Array.isArray(response.body)).toBe(true);
        expect(response.body).toHaveLength(7);
        const total = Number(response.headers['x-total-count']);
        expect(total).toBeGreaterThanOrEqual(500);
        const page = (number: number) => `${path}?size=7&page=${String(number)}&sort=-price`;
        expect(Object.fromEntries(['first', 'prev', 'next', 'last'].map((rel) => [rel, linkTo(rel, response)]))).toEqual({
          first: page(1),
          prev: page(1),
          next: page(3),
          last: page(Math.ceil(total / 7)),
        });
      },
    );
  });

  describe('a list without a total count', () => {
    const PREFERRED = { prefer: 'count=none' };

    it.each(['count=no', 'count=', 'count=none&count=none', 'count=exact'])('?%s returns 400', async (query) => {
      const { status, body } = await http.get(`/books?${query}`);
      expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'INVALID_PARAMETER' });
    });

    it('a single resource returns 400 for `count` and ignores the preference', async () => {
      const { status, body } = await http.get('/books/1?count=none');
      expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'UNKNOWN_PARAMETER' });
      const preferred = await http.get('/books/1', { headers: PREFERRED });
      expect({ status: preferred.status, applied: preferred.headers['preference-applied'] }).toEqual({ status: 200, applied: undefined });
    });

    it.each([
      ['the parameter', '&count=none', {}, undefined],
      ['the preference', '', PREFERRED, 'count=none'],
      ['both', '&count=none', PREFERRED, 'count=none'],
    ])('%s omits the total and retains the page links', async (_title, query, headers, applied) => {
      const response = await http.get(`/books?size=10&page=2${query}`, { headers });
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('x-total-count');
      expect(response.headers['preference-applied']).toBe(applied);
      expect(response.body).toEqual({ data: expect.any(Array), page: 2, pageSize: 10, hasNext: true });
      expect(['first', 'prev', 'next', 'last'].map((rel) => linkTo(rel, response) !== undefined)).toEqual([true, true, true, false]);
      if (applied !== undefined) expect(response.headers['vary']).toContain('Prefer');
      const counted = await http.get('/books?size=10&page=2');
      expect(response.body['data']).toEqual(counted.body['data']);
      expect(Number(counted.headers['x-total-count'])).toBe(counted.body['totalElements']);
    });

    it('pages of a bare list have a next link up to the last page', async () => {
      const first = await wide.get<readonly unknown[]>('/bare-books?size=100&count=none');
      expect(first.headers).not.toHaveProperty('x-total-count');
      expect(linkTo('next', first)).toBe('/bare-books?size=100&count=none&page=2');
      const { headers } = await wide.get('/bare-books?size=100');
      const last = Math.ceil(Number(headers['x-total-count']) / 100);
      const end = await wide.get<readonly unknown[]>(`/bare-books?size=100&count=none&page=${String(last)}`);
      expect({ next: linkTo('next', end), prev: linkTo('prev', end) }).toEqual({
        next: undefined,
        prev: `/bare-books?size=100&count=none&page=${String(last - 1)}`,
      });
    });
  });
});

function itemsOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : (body as { readonly data: readonly unknown[] }).data;
}

function linkTo(rel: string, { headers }: HttpResponse<unknown>): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers['link'] ?? ''))?.[1];
}
