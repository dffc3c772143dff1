import { GraphQLString } from 'graphql';
import type { PageBinding } from '../../compile/bindings/paging.ts';
import { compileTextReader } from '../../compile/bindings/text-reader.ts';
import { type QueryParameters, single } from './query-parameters.ts';
import type { ValidationIssues } from './validation-issues.ts';

export interface PageLimits {
  /** Page size for requests without one. @unit items */
  readonly defaultPageSize: number;
  /** Largest page size. A larger requested size is reduced to it, and the response contains the effective size. @unit items */
  readonly maxPageSize: number;
  /** Largest offset of a page that is selected by number. @unit items */
  readonly maxOffset: number;
}

/** The requested page. */
export type PageRequest =
  | { readonly mode: 'number'; readonly page: number; readonly size: number }
  | { readonly mode: 'cursor'; readonly size: number };

/** Query parameters of the two kinds of pagination, which cannot be combined. */
const BY_NUMBER = ['page', 'size', 'limit'];
const BY_CURSOR = ['first', 'after'];

const NATURAL = /^[1-9]\d*$/;
const readCursor = compileTextReader(GraphQLString, false);

/** Reads the page and sets its variables. */
export function readPage(
  binding: PageBinding,
  query: QueryParameters,
  {
    limits,
    issues,
    variables,
  }: { readonly limits: PageLimits; readonly issues: ValidationIssues; readonly variables: Record<string, unknown> },
): PageRequest {
  const byCursor = BY_CURSOR.find((name) => query.has(name));
  const byNumber = BY_NUMBER.find((name) => query.has(name));
  if (byCursor !== undefined && byNumber !== undefined && binding.offset !== undefined && binding.cursor !== undefined) {
    issues.add(
      'PAGINATION_CONFLICT',
      byCursor,
      `belongs to cursor pagination, but "${byNumber}" belongs to page numbers; use only one kind of pagination`,
    );
  }
  const sizes = [...(byCursor === undefined ? [] : ['first']), 'size', 'limit'].flatMap((name) => readCount(query, name, issues) ?? []);
  const size = Math.min(limits.maxPageSize, ...(sizes.length === 0 ? [limits.defaultPageSize] : sizes));
  variables[binding.size] = size;
  if (binding.cursor !== undefined && (byCursor !== undefined || binding.offset === undefined)) {
    const after = single(query, 'after', issues);
    if (after !== undefined) variables[binding.cursor] = checkCursor(after, issues);
    return { mode: 'cursor', size };
  }
  const page = readCount(query, 'page', issues) ?? 1;
  const offset = (page - 1) * size;
  if (offset > limits.maxOffset) {
    const advice = binding.cursor === undefined ? 'filter the list to reduce it' : 'use cursors with "first" and "after" instead';
    issues.add('PAGE_TOO_DEEP', 'page', `starts after item ${limits.maxOffset}, which is the limit; ${advice}`);
  }
  if (binding.offset !== undefined) variables[binding.offset] = offset;
  return { mode: 'number', page, size };
}

function readCount(query: QueryParameters, name: string, issues: ValidationIssues): number | undefined {
  const text = single(query, name, issues);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (NATURAL.test(text) && Number.isSafeInteger(count)) return count;
  issues.add('INVALID_PARAMETER', name, 'must be an integer, 1 or greater');
  return undefined;
}

function checkCursor(text: string, issues: ValidationIssues): string {
  const issue = text === '' ? 'must not be empty' : readCursor(text).issue;
  if (issue !== undefined) issues.add('INVALID_PARAMETER', 'after', issue);
  return text;
}
