import { type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';

/**
 * Order of statuses by which one of several errors is chosen: first authentication and authorization, then errors that a retry cannot
 * solve, then transient errors. 503 is last, so it is returned only if there is no other error.
 */
const ORDER = [401, 403, 400, 404, 412, 409, 422, 429, 500, 503];

/** Returns the entry with the highest precedence, or the first of several equal entries. */
export function worstOf<T extends { readonly code: ErrorCode }>(entries: readonly T[]): T | undefined {
  return entries.toSorted((a, b) => rank(a.code) - rank(b.code))[0];
}

/** Ranks a status. A 4xx status that is not in the order comes directly before 500. A 5xx status ranks as 500. */
function rank(code: ErrorCode): number {
  const status = statusOf(code);
  const position = ORDER.indexOf(status);
  if (position !== -1) return position;
  return status >= 500 ? ORDER.indexOf(500) : ORDER.indexOf(500) - 0.5;
}
