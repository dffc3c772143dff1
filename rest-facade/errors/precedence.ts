import { type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';

/**
 * Of several failures, which one the client hears: first who they are, then what they sent, which is no use retrying,
 * then what may pass. Availability comes last: 503 is said only when nothing else is wrong.
 */
const ORDER = [401, 403, 400, 404, 412, 409, 422, 429, 500, 503];

/** The entry whose code matters most; the earliest of equals. */
export function worstOf<T extends { readonly code: ErrorCode }>(entries: readonly T[]): T | undefined {
  return entries.toSorted((a, b) => rank(a.code) - rank(b.code))[0];
}

/** What the order does not name is the caller's mistake before 500, and a fault of the server as 500 is. */
function rank(code: ErrorCode): number {
  const status = statusOf(code);
  const position = ORDER.indexOf(status);
  if (position !== -1) return position;
  return status >= 500 ? ORDER.indexOf(500) : ORDER.indexOf(500) - 0.5;
}
