import type { PageRequest } from '../request/read-page.ts';
import { type DataObject, valueAt } from './result-values.ts';

/** The address a page was asked for at. */
export interface PageAddress {
  /** Raw path with the mount, without a slash at the end. */
  readonly path: string;
  /** Raw query string, without the question mark. */
  readonly query: string;
}

export interface ShapedPage {
  readonly body: unknown;
  /** Value of the `Link` header (RFC 8288); empty where no other page is. */
  readonly link: string;
}

/** The page object around items that are shaped already. */
export function shapePage(
  connection: DataObject,
  items: unknown,
  page: PageRequest,
  address: PageAddress & { readonly maxOffset: number },
): ShapedPage {
  const totalElements = Number(connection['totalCount']);
  if (page.mode === 'cursor') {
    const hasNext = valueAt(connection, ['pageInfo', 'hasNextPage']) === true;
    const nextCursor = hasNext ? valueAt(connection, ['pageInfo', 'endCursor']) : null;
    const link = hasNext ? toLinks(address, [['next', { first: page.size, after: String(nextCursor) }]]) : '';
    return { body: { data: items, pageSize: page.size, totalElements, nextCursor, hasNext }, link };
  }
  const totalPages = Math.ceil(totalElements / page.size);
  const body = { data: items, page: page.page, pageSize: page.size, totalPages, totalElements };
  return { body, link: toLinks(address, neighbours(page, totalPages, address.maxOffset)) };
}

type Relation = readonly [rel: string, parameters: Readonly<Record<string, string | number>>];

/** A page that would be refused as too deep is not linked. */
function neighbours(
  { page, size }: { readonly page: number; readonly size: number },
  totalPages: number,
  maxOffset: number,
): readonly Relation[] {
  const candidates: readonly (readonly [string, number, boolean])[] = [
    ['first', 1, totalPages > 0],
    ['prev', Math.min(page - 1, totalPages), page > 1],
    ['next', page + 1, page < totalPages],
    ['last', totalPages, totalPages > 0],
  ];
  return candidates
    .filter(([, target, exists]) => exists && target >= 1 && (target - 1) * size <= maxOffset)
    .map(([rel, target]) => [rel, { page: target }] as const);
}

/** What a client may have sent raw and a URI reference must not have (RFC 3986, section 2): it would end the link early. */
const NO_URI_CHARACTER = /[<>"\\^`{|}]/g;

function toLinks({ path, query }: PageAddress, relations: readonly Relation[]): string {
  const target = path.replaceAll(NO_URI_CHARACTER, encodeURIComponent);
  return relations
    .map(([rel, changes]) => {
      const parameters = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changes)) parameters.set(name, String(value));
      return `<${target}?${parameters.toString()}>; rel="${rel}"`;
    })
    .join(', ');
}
