import { ownerIdOf, principalKeyOf } from '../../platform/principal.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import type { OperationRequest } from '../operation-request.ts';

/** Decisions about a request that affect its response, in addition to its variables. */
export interface FlightDecisions {
  readonly labels: readonly string[];
  /** Decision about the caller's permissions. Policies may decide differently for each request. */
  readonly access?: string | undefined;
}

/**
 * Returns the key of everything except the operation that affects the response. Requests with equal keys may share one execution.
 *
 * @param headerNames lower-case names of the headers that reach subgraphs
 */
export function flightKeyOf(
  { principal, headers, writes }: Pick<OperationRequest, 'principal' | 'headers' | 'writes'>,
  variables: Readonly<Record<string, unknown>>,
  { labels, access }: FlightDecisions,
  headerNames: 'all' | readonly string[],
): string {
  const { roles, scopes, claims } = principal;
  // The gateway gives each request a correlation id, which does not affect the response.
  const names =
    headerNames === 'all'
      ? Object.keys(headers)
          .filter((name) => name !== CORRELATION_ID_HEADER)
          .sort()
      : headerNames;
  const sent = names.map((name) => [name, headers[name] ?? null]);
  const key = [
    ...(writes === undefined ? [] : [writes.flight]),
    variables,
    labels,
    principalKeyOf(principal),
    ownerIdOf(principal) ?? null,
    [...roles].sort(),
    [...scopes].sort(),
    claims,
    sent,
  ];
  return JSON.stringify(access === undefined ? key : [...key, access]);
}
