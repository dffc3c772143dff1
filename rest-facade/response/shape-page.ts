import type { PageRequest } from '../request/parameters/page-request.ts';
import { type PageAddress, toUriReference } from '../request/request-address.ts';
import { type ResultObject, valueAt } from './result-data.ts';

/** Another page, by its relation to this one. */
export interface PageLink {
  readonly rel: string;
  readonly href: string;
}

export interface ShapedPage {
  readonly body: unknown;
  /** Items of all pages together; undefined where nobody has counted. @unit items */
  readonly total: number | undefined;
  readonly links: readonly PageLink[];
}

/** Items as they are shown, and how many they are, which may take time to find out. */
export interface ShownItems {
  readonly shown: unknown;
  readonly count: () => number;
}

export interface PagePlace {
  readonly address: PageAddress;
  /** Deepest start of a page that is named by a number: one that would be refused is not linked. @unit items */
  readonly maxOffset: number;
}

/** The page object around items that are shaped already. */
export function shapePage(
  connection: ResultObject,
  { shown, count }: ShownItems,
  page: PageRequest,
  { address, maxOffset }: PagePlace,
): ShapedPage {
  const { size } = page;
  const total = typeof connection['totalCount'] === 'number' ? connection['totalCount'] : undefined;
  const known = valueAt(connection, PAGE_INFO_HAS_NEXT);
  if (page.mode === 'cursor') {
    const nextCursor = known === true ? cursorIn(connection) : null;
    const hasNext = nextCursor !== null;
    const counted = total === undefined ? {} : { totalElements: total };
    const body = { data: shown, pageSize: size, ...counted, nextCursor, hasNext };
    return { body, total, links: nextCursor !== null ? [nextLink(address, size, nextCursor)] : [] };
  }
  const lastOfAll = Math.floor(maxOffset / size) + 1;
  if (total === undefined) {
    // A page that is full may have another one after it.
    const hasNext = typeof known === 'boolean' ? known : count() === size;
    const links = pageLinks({ first: 1, prev: page.page - 1, next: hasNext ? page.page + 1 : 0 }, lastOfAll, address);
    return { body: { data: shown, page: page.page, pageSize: size, hasNext }, total, links };
  }
  const totalPages = Math.ceil(total / size);
  const next = page.page < totalPages ? page.page + 1 : 0;
  const pages = { first: Math.min(1, totalPages), prev: Math.min(page.page - 1, totalPages), next, last: totalPages };
  const body = { data: shown, page: page.page, pageSize: size, totalPages, totalElements: total };
  return { body, total, links: pageLinks(pages, lastOfAll, address) };
}

const PAGE_INFO_HAS_NEXT = ['pageInfo', 'hasNextPage'];
const PAGE_INFO_END = ['pageInfo', 'endCursor'];

/** Where the next page begins; null where nothing says it, and so nobody can ask for it. */
function cursorIn(connection: ResultObject): string | null {
  const cursor = valueAt(connection, PAGE_INFO_END);
  return (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number' ? String(cursor) : null;
}

/** @param pages their numbers by their relation to this one; 0 for those that there are not */
function pageLinks(pages: Readonly<Record<string, number>>, lastOfAll: number, { path, query }: PageAddress): readonly PageLink[] {
  const target = `${toUriReference(path)}?`;
  const [before, after] = aroundPage(query);
  const links: PageLink[] = [];
  for (const rel in pages) {
    const page = pages[rel] ?? 0;
    if (page >= 1 && page <= lastOfAll) links.push({ rel, href: `${target}${before}${page}${after}` });
  }
  return links;
}

/** The query string before and after the number of the page. */
function aroundPage(query: string): readonly [before: string, after: string] {
  if (query === '') return ['page=', ''];
  const parameters = new URLSearchParams(query);
  parameters.set('page', '');
  const text = parameters.toString();
  const end = (text.startsWith('page=') ? 0 : text.indexOf('&page=') + 1) + 'page='.length;
  return [text.slice(0, end), text.slice(end)];
}

function nextLink({ path, query }: PageAddress, first: number, after: string): PageLink {
  const parameters = new URLSearchParams(query);
  parameters.set('first', String(first));
  parameters.set('after', after);
  return { rel: 'next', href: `${toUriReference(path)}?${parameters.toString()}` };
}

/** Value of the `Link` header (RFC 8288). */
export function linkHeader(links: readonly PageLink[]): string {
  let text = '';
  for (const { rel, href } of links) text += `${text === '' ? '' : ', '}<${href}>; rel="${rel}"`;
  return text;
}
