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

function rank(code: ErrorCode): number {
  const position = ORDER.indexOf(statusOf(code));
  return position === -1 ? ORDER.indexOf(500) - 0.5 : position;
}
