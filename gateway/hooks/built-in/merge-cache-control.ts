/**
 * Merges the `Cache-Control` values of the responses that one response is made of (RFC 9111, section 5.2.2) to a value that allows no more
 * than each of them. The result is never public: only the client may store a response whose caching subgraphs decide, because the gateway
 * does not know for which other callers it is valid.
 *
 * @param values undefined for a response without the header, which forbids storing
 */
export function mergeCacheControl(values: readonly (string | undefined)[]): string {
  let maxAge = Number.POSITIVE_INFINITY;
  let isRevalidated = false;
  for (const value of values) {
    const directives = readDirectives(value ?? 'no-store');
    if (directives.has('no-store')) return 'no-store';
    const seconds = directives.get('max-age');
    if (directives.has('no-cache') || seconds === undefined || !/^\d{1,10}$/.test(seconds)) isRevalidated = true;
    else maxAge = Math.min(maxAge, Number(seconds));
  }
  return isRevalidated || !Number.isFinite(maxAge) ? 'private, no-cache' : `private, max-age=${maxAge}`;
}

/** Reads the directives with lower-case names. The strictest one of a repeated directive applies. */
function readDirectives(value: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of value.split(',')) {
    const [name = '', argument = ''] = part.trim().split('=', 2);
    const known = directives.get(name.toLowerCase());
    const read = argument.replaceAll('"', '');
    directives.set(name.toLowerCase(), known === undefined || Number(read) < Number(known) ? read : known);
  }
  return directives;
}
