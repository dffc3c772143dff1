import type { RequestBindings } from '../compile/bindings/bindings.ts';

/**
 * Headers of a request by which every answer differs, the refusals among them. What a client prefers counts, whether this one says so or not
 * (RFC 7240, section 2).
 */
export const VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key, Prefer';

/**
 * @param bindings of the route: a header that becomes a variable is one more by which its answers differ
 * @param others headers by which this answer differs besides
 */
export function varyBy({ headers }: Pick<RequestBindings, 'headers'>, others: readonly string[] = []): string {
  if (headers.length === 0 && others.length === 0) return VARY;
  return [VARY, ...headers.map(({ name }) => name), ...others].join(', ');
}
