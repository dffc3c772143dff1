import { createHash } from 'node:crypto';
import { FOR_OWNERS } from '../../authorization/requirement.ts';
import { ownerIdOf, principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** Request data that the events depend on, in addition to operation and variables. */
export interface SharingRules {
  /** Lower-case names of the headers that reach subgraphs. */
  readonly headers: readonly string[];
  /** Whether subgraphs or the subgraph client receive the identity of the caller. Callers then do not share events. */
  readonly isIdentityForwarded: boolean;
}

/** Data that distinguishes the events of subscriptions. */
export interface SharedBy {
  /** Equal for operations with the same fields under the same response keys. */
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  /** Decision of the gateway about the caller's permissions; absent when no field is guarded. */
  readonly access: string | undefined;
}

/** Returns the key of a subscription. Subscriptions with equal keys have the same events for every caller. */
export function shareKeyOf({ operation, variables, labels, access }: SharedBy, request: OperationRequest, rules: SharingRules): string {
  const { principal } = request;
  const { kind, roles, scopes } = principal;
  const caller = [principalKeyOf(principal), ownerIdOf(principal) ?? null];
  const who = rules.isIdentityForwarded ? [...caller, [...roles].sort(), [...scopes].sort()] : null;
  // The error for a denied field differs for callers with credentials.
  const permissions = access === undefined ? null : [access, kind === 'anonymous'];
  // When owners can read more, each caller has a separate stream.
  const owner = access?.includes(FOR_OWNERS) === true ? caller : null;
  const sent = rules.headers.map((name) => request.headers[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([operation, variables, labels, permissions, owner, who, sent]))
    .digest('base64url');
}
