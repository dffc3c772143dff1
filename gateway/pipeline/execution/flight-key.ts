import { ownerIdOf, principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** What was decided about a request besides its variables. */
export interface FlightDecisions {
  readonly labels: readonly string[];
  /** About the caller's rights, which policies may decide otherwise for each request. */
  readonly access?: string | undefined;
}

/**
 * What the answer to an operation depends on besides the operation: equal for two requests that may share one answer.
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
  const names = headerNames === 'all' ? Object.keys(headers).sort() : headerNames;
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
