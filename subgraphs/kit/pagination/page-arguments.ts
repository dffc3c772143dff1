import { clientError } from '../client-error.ts';

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
const MAX_OFFSET = 10_000;

/** Arguments of a connection field, as GraphQL passes them. */
export interface ConnectionArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly offset?: number | null | undefined;
  readonly sort?: readonly SortKey[] | null | undefined;
}

/** One key of a sort order; `field` is a value of the sort enum. */
export interface SortKey {
  readonly field: string;
  /** @defaultValue 'ASC' */
  readonly direction?: 'ASC' | 'DESC';
}

/** Reads the page size; 20 when absent. @throws GraphQLError `BAD_USER_INPUT` outside 1 to 100 */
export function readFirst(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE) throw clientError('BAD_USER_INPUT', `\`first\` must be from 1 to ${MAX_PAGE_SIZE}.`);
  return size;
}

/** Reads the offset; 0 when absent. @throws GraphQLError `BAD_USER_INPUT` outside 0 to 10000, or together with a cursor */
export function readOffset(offset: number | null | undefined, after: string | null | undefined): number {
  if (offset === undefined || offset === null) return 0;
  if (after !== undefined && after !== null) throw clientError('BAD_USER_INPUT', '`offset` and `after` cannot be combined.');
  if (offset < 0 || offset > MAX_OFFSET) throw clientError('BAD_USER_INPUT', `\`offset\` must be from 0 to ${MAX_OFFSET}.`);
  return offset;
}
