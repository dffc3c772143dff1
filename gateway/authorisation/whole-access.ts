import type { Principal } from '../platform/principal.ts';
import type { OperationAuthorisation } from './operation-authorisation.ts';
import { DENIED, isSignedIn } from './requirement.ts';

/**
 * Whether a caller is denied anything of an operation of which everything is needed, whatever its variables; what owners may
 * see is not known without an object, and not denied.
 */
export type WholeAccess = (principal: Principal) => 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;

/**
 * Whether a caller is granted all of an operation, whatever its variables and its objects; what policies or owners have a say in is
 * not known beforehand, and not granted.
 */
export type WholeGrant = (principal: Principal) => boolean;

/** Undefined where nothing can be told beforehand: nothing is guarded, or policies have to be asked for. */
export function compileWholeAccess(authorisation: OperationAuthorisation | undefined): WholeAccess | undefined {
  if (authorisation === undefined || authorisation.policies.length > 0) return undefined;
  return (principal) => {
    if (!authorisation.decide(principal).includes(DENIED)) return undefined;
    return isSignedIn(principal) ? 'FORBIDDEN' : 'UNAUTHENTICATED';
  };
}

export function compileWholeGrant(authorisation: OperationAuthorisation | undefined): WholeGrant {
  if (authorisation === undefined) return () => true;
  return authorisation.policies.length > 0 ? () => false : (principal) => authorisation.decide(principal) === '';
}
