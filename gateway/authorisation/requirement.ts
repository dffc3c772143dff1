import { ownerIdOf, type Principal } from '../platform/principal.ts';

/** One thing that is true of a caller, or is not. */
export interface Atom {
  readonly kind: 'signedIn' | 'scope' | 'role' | 'policy';
  /** Of the scope, role or policy; empty for `signedIn`. */
  readonly name: string;
}

/**
 * What one directive asks of a caller. Equal ones are one object: an operation decides each once, however many places
 * have it.
 */
export interface Requirement {
  /** Equal for equal requirements, in every process. */
  readonly id: string;
  /** The caller passes by any of these, of which all must be true. */
  readonly alternatives: readonly (readonly Atom[])[];
  /** Whether a caller who can own objects may also pass as the owner of the object. */
  readonly isForOwners: boolean;
}

/** A requirement at one coordinate. */
export interface Guard {
  readonly requirement: Requirement;
  /** The field of the object by which its owner is known. */
  readonly owner: string | undefined;
  /** Whether composition passes the directive on as it was written, and makes none of its own. */
  readonly isAsWritten: boolean;
}

/** What was decided about one requirement for one caller. */
export type Decision = typeof DENIED | typeof GRANTED | typeof UNDECIDED | typeof FOR_OWNERS;

/** The caller does not pass. */
export const DENIED = '0';
/** The caller passes. */
export const GRANTED = '1';
/** Nobody could tell: who decides policies did not answer. */
export const UNDECIDED = '2';
/** The caller passes where they own the object. */
export const FOR_OWNERS = '3';

/** Policies by name: whether the caller fulfils them, or undefined where nobody could tell. A policy that is not there is not fulfilled. */
export type PolicyDecisions = ReadonlyMap<string, boolean | undefined>;

const NO_POLICIES: PolicyDecisions = new Map();

export const isSignedIn = ({ kind }: Principal): boolean => kind !== 'anonymous';

/** Decides a requirement for a caller, as far as it can be decided without an object. */
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
