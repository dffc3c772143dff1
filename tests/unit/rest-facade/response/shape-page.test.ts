import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ShapedPage, linkHeader, shapePage } from '../../../../rest-facade/response/shape-page.ts';

const address = { path: '/api/books', query: 'size=10&genre=NOVEL&page=2' };
const position = { address, maxOffset: 10_000 };
const connection = (totalCount: number, hasNextPage = false) => ({ totalCount, pageInfo: { hasNextPage, endCursor: 'c+1' } });

const links = ({ links: all }: ShapedPage): Readonly<Record<string, string>> => Object.fromEntries(all.map(({ rel, href }) => [rel, href]));

const shownAs = (shown: readonly unknown[]) => ({ shown, count: () => shown.length });

describe('shapePage', () => {
  it('an empty list has no pages and no links', () => {
    const page = shapePage(connection(0), shownAs([]), { mode: 'number', page: 1, size: 10 }, position);
    expect(page).toEqual({
      body: { data: [], page: 1, pageSize: 10, totalPages: 0, totalElements: 0 },
      links: [],
      total: 0,
    });
  });

  it('a page past the end links the last existing page', () => {
    const page = shapePage(connection(25), shownAs([]), { mode: 'number', page: 9, size: 10 }, position);
    expect(links(page)).toMatchObject({ prev: expect.stringContaining('page=3'), last: expect.stringContaining('page=3') });
    expect(links(page)).not.toHaveProperty('next');
  });

  it('a middle page has links with all parameters and the mount', () => {
    const page = shapePage(connection(25), shownAs([]), { mode: 'number', page: 2, size: 10 }, position);
    expect(links(page)).toEqual({
      first: '/api/books?size=10&genre=NOVEL&page=1',
      prev: '/api/books?size=10&genre=NOVEL&page=1',
      next: '/api/books?size=10&genre=NOVEL&page=3',
      last: '/api/books?size=10&genre=NOVEL&page=3',
    });
  });

  it('links no page beyond the offset limit', () => {
    const page = shapePage(connection(50_000), shownAs([]), { mode: 'number', page: 1_001, size: 10 }, position);
    expect(Object.keys(links(page))).toEqual(['first', 'prev']);
  });

  it('escapes path characters that would end a link', () => {
    const path = '/tags/a>;"b"/%3E';
    const page = shapePage(
      connection(5),
      shownAs([]),
      { mode: 'number', page: 1, size: 10 },
      { ...position, address: { ...address, path } },
    );
    expect(linkHeader(page.links)).toMatch(/^<\/tags\/a%3E;%22b%22\/%3E\?[^<>]*>; rel="first", </);
  });

  it('links the next page by its escaped cursor', () => {
    const page = shapePage(
      connection(25, true),
      shownAs([1]),
      { mode: 'cursor', size: 10 },
      { ...position, address: { ...address, query: 'first=10&after=c0' } },
    );
    expect(page.body).toEqual({ data: [1], pageSize: 10, totalElements: 25, nextCursor: 'c+1', hasNext: true });
    expect(links(page)).toEqual({ next: '/api/books?first=10&after=c%2B1' });
  });

  it('the last page of a cursor has no next link', () => {
    const page = shapePage(connection(25, false), shownAs([]), { mode: 'cursor', size: 10 }, position);
    expect(page).toMatchObject({ body: { nextCursor: null, hasNext: false }, links: [] });
  });

  it.each([null, ''])('a list with more items and the end cursor %j has no next link', (endCursor) => {
    const nowhere = { totalCount: 25, pageInfo: { hasNextPage: true, endCursor } };
    const page = shapePage(nowhere, shownAs([]), { mode: 'cursor', size: 10 }, position);
    expect(page).toMatchObject({ body: { nextCursor: null, hasNext: false }, links: [] });
  });

  it('the numbers of a page are consistent', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 100 }), (total, page, size) => {
        const shaped = shapePage(connection(total), shownAs([]), { mode: 'number', page, size }, position);
        const { totalPages } = shaped.body as { readonly totalPages: number };
        expect((totalPages - 1) * size).toBeLessThan(Math.max(total, 1));
        expect(totalPages * size).toBeGreaterThanOrEqual(total);
        expect('next' in links(shaped)).toBe(page < totalPages && page * size <= 10_000);
      }),
    );
  });
});
