import { createHash } from 'node:crypto';
import { FOR_OWNERS } from '../../authorisation/requirement.ts';
import { ownerIdOf, principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** What of a request its events depend on, besides operation and variables. */
export interface SharingRules {
  /** Lower-case names of the headers that reach subgraphs. */
  readonly headers: readonly string[];
  /** Whether subgraphs, or what asks them, are told who asks: then nobody gets the events of another. */
  readonly isIdentityTold: boolean;
}

/** What tells the events of a subscription from those of others. */
export interface SharedBy {
  /** Equal for operations that ask for the same under the same response keys. */
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  /** What the gateway itself decided about the caller's rights; absent where nothing is guarded. */
  readonly access: string | undefined;
}

/** Equal for subscriptions whose events are the same, whoever gets them. */
export function shareKeyOf({ operation, variables, labels, access }: SharedBy, request: OperationRequest, rules: SharingRules): string {
  const { principal } = request;
  const { kind, roles, scopes } = principal;
  const caller = [principalKeyOf(principal), ownerIdOf(principal) ?? null];
  const who = rules.isIdentityTold ? [...caller, [...roles].sort(), [...scopes].sort()] : null;
  // What is withheld is told otherwise to who is signed in.
  const rights = access === undefined ? null : [access, kind === 'anonymous'];
  // Where owners see more, each is by oneself.
  const owner = access?.includes(FOR_OWNERS) === true ? caller : null;
  const sent = rules.headers.map((name) => request.headers[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([operation, variables, labels, rights, owner, who, sent]))
    .digest('base64url');
}
