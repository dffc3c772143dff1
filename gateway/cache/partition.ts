import { lastingIdentityOf, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Callers without credentials. */
const ANONYMOUS = 'anon';

/**
 * Whom an answer is for: equal for callers who may share one. Nobody shares with somebody else but callers without
 * credentials, and nobody with himself under other rights.
 *
 * @param headerNames those that reach subgraphs, in lower case
 */
export function partitionOf(principal: Principal, headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(principal.kind === 'anonymous' ? ANONYMOUS : lastingIdentityOf(principal), headers, headerNames);
}

/** Whom something is for that does not depend on who asks: equal for all who send the same headers. */
export function sharedPartitionOf(headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(ANONYMOUS, headers, headerNames);
}

function withHeaders(who: string, headers: RequestHeaders, headerNames: readonly string[]): string {
  if (headerNames.length === 0) return who;
  return JSON.stringify([who, headerNames.map((name) => headers[name] ?? null)]);
}
