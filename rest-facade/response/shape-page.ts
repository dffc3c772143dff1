import type { PageRequest } from '../request/parameters/page-request.ts';
import { type PageAddress, toUriReference } from '../request/request-address.ts';
import { type ResultObject, valueAt } from './result-data.ts';

/** A link to another page. */
export interface PageLink {
  readonly rel: string;
  readonly href: string;
}

export interface ShapedPage {
  readonly body: unknown;
  /** Total number of items on all pages. Undefined if they were not counted. @unit items */
  readonly total: number | undefined;
  readonly links: readonly PageLink[];
}

/** Shaped items, with a function that counts them, because counting printed items requires parsing. */
export interface ShownItems {
  readonly shown: unknown;
  readonly count: () => number;
}

export interface PageLocation {
  readonly address: PageAddress;
  /** Largest offset of a page that is selected by number. Pages beyond it are not linked. @unit items */
  readonly maxOffset: number;
}

/** Builds the page object around shaped items. */
export function shapePage(
  connection: ResultObject,
  { shown, count }: ShownItems,
  page: PageRequest,
  { address, maxOffset }: PageLocation,
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
    // A full page may be followed by another one.
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

/** Returns the cursor of the next page, or null if there is none, so that the next page cannot be requested. */
function cursorIn(connection: ResultObject): string | null {
  const cursor = valueAt(connection, PAGE_INFO_END);
  return (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number' ? String(cursor) : null;
}

/** Builds links to pages. @param pages page numbers by relation; 0 for a page that does not exist */
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

/** Splits the query string at the page number. */
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

/** Returns the value of the `Link` header (RFC 8288). */
export function linkHeader(links: readonly PageLink[]): string {
  let text = '';
  for (const { rel, href } of links) text += `${text === '' ? '' : ', '}<${href}>; rel="${rel}"`;
  return text;
}
