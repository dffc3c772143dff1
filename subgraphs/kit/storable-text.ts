const HALF_SURROGATE_PAIR = /\p{Surrogate}/u;

/**
 * Whether PostgreSQL can store a text: it contains no NUL and no unpaired surrogate. Other texts must not reach the database, because a
 * statement with one fails. No stored text can equal them.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !HALF_SURROGATE_PAIR.test(text);
}
