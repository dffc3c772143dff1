import { ownerIdOf, type Principal } from '../platform/principal.ts';
import type { AuthorizationDirective } from '../supergraph/read-authorization-rules.ts';

/** A condition that a caller fulfills or does not. */
export interface Atom {
  readonly kind: 'signedIn' | 'scope' | 'role' | 'policy';
  /** Name of the scope, role or policy; empty for `signedIn`. */
  readonly name: string;
}

/** Requirement of one directive. Equal requirements are one object, so an operation decides each of them once. */
export interface Requirement {
  /** Identifier that is equal for equal requirements in every process. */
  readonly id: string;
  /** Alternatives. The caller passes if all atoms of one alternative are true. */
  readonly alternatives: readonly (readonly Atom[])[];
  /** Whether the owner of the object passes as well. */
  readonly isForOwners: boolean;
}

/** A requirement at one coordinate. */
export interface Guard {
  readonly requirement: Requirement;
  /** Field of the object that identifies its owner. */
  readonly owner: string | undefined;
  /** Directive of the rule. */
  readonly directive: AuthorizationDirective;
}

/** Decision about one requirement for one caller. */
export type Decision = typeof DENIED | typeof GRANTED | typeof UNDECIDED | typeof FOR_OWNERS;

/** The caller does not pass. */
export const DENIED = '0';
/** The caller passes. */
export const GRANTED = '1';
/** The decision is unknown, because the policy service did not respond. */
export const UNDECIDED = '2';
/** The caller passes if they own the object. */
export const FOR_OWNERS = '3';

/**
 * Results of policies by name: whether the caller fulfills the policy, or undefined if it is unknown. An absent policy is not fulfilled.
 */
export type PolicyDecisions = ReadonlyMap<string, boolean | undefined>;

const NO_POLICIES: PolicyDecisions = new Map();

export const isSignedIn = ({ kind }: Principal): boolean => kind !== 'anonymous';

/** Decides a requirement for a caller, as far as this is possible without an object. */
export function decideRequirement(
  { alternatives, isForOwners }: Requirement,
  principal: Principal,
  policies: PolicyDecisions = NO_POLICIES,
): Decision {
  let isUndecided = false;
  for (const alternative of alternatives) {
    const decided = decideAll(alternative, principal, policies);
    if (decided === GRANTED) return GRANTED;
    if (decided === UNDECIDED) isUndecided = true;
  }
  if (isForOwners && ownerIdOf(principal) !== undefined) return FOR_OWNERS;
  return isUndecided ? UNDECIDED : DENIED;
}

function decideAll(atoms: readonly Atom[], principal: Principal, policies: PolicyDecisions): Decision {
  let isUndecided = false;
  for (const atom of atoms) {
    const holds = doesHold(atom, principal, policies);
    if (holds === false) return DENIED;
    if (holds === undefined) isUndecided = true;
  }
  return isUndecided ? UNDECIDED : GRANTED;
}

function doesHold({ kind, name }: Atom, principal: Principal, policies: PolicyDecisions): boolean | undefined {
  switch (kind) {
    case 'signedIn':
      return isSignedIn(principal);
    case 'scope':
      return principal.scopes.has(name);
    case 'role':
      return principal.roles.has(name);
    case 'policy':
    default:
      return policies.has(name) ? policies.get(name) : false;
  }
}
