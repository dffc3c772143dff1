const HALF_SURROGATE_PAIR = /\p{Surrogate}/u;

/**
 * Whether PostgreSQL can hold a text: it has no NUL, and half a surrogate pair is no character. Any other text is equal
 * to none in the database, and must not reach it: asking with it is an error there.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !HALF_SURROGATE_PAIR.test(text);
}
