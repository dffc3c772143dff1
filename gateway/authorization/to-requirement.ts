import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { AuthorizationRule } from '../supergraph/read-authorization-rules.ts';
import type { Atom, Guard, Requirement } from './requirement.ts';

/** Role that every signed-in caller has. */
const EVERYBODY_SIGNED_IN = 'USER';

const SIGNED_IN: Atom = { kind: 'signedIn', name: '' };

/** Converts a directive to a guard. Equal requirements become one object. */
export type ToGuard = (rule: AuthorizationRule, coordinate: string) => Guard;

export function createToGuard(): ToGuard {
  const known = new Map<string, Requirement>();

  function requirementOf(alternatives: readonly (readonly Atom[])[], isForOwners: boolean): Requirement {
    const sorted = alternatives.map((atoms) => [...new Set(atoms.map(({ kind, name }) => `${kind}:${name}`))].sort()).sort(byText);
    const id = JSON.stringify(isForOwners ? [...sorted, 'owner'] : sorted);
    let requirement = known.get(id);
    if (requirement === undefined) known.set(id, (requirement = { id, alternatives, isForOwners }));
    return requirement;
  }

  return (rule, coordinate) => {
    const owner = rule.directive === 'auth' ? ownerOf(rule, coordinate) : undefined;
    const requirement = requirementOf(alternativesOf(rule, coordinate), owner !== undefined);
    return { requirement, owner, directive: rule.directive };
  };
}

function byText(one: readonly string[], other: readonly string[]): number {
  const [first, second] = [one.join(), other.join()];
  return first < second ? -1 : first > second ? 1 : 0;
}

function alternativesOf({ directive, arguments: given }: AuthorizationRule, coordinate: string): readonly (readonly Atom[])[] {
  switch (directive) {
    case 'authenticated':
      return [[SIGNED_IN]];
    case 'requiresScopes':
      return namesOf(given['scopes'], `${coordinate} @requiresScopes(scopes:)`).map((all) => all.map((name) => ({ kind: 'scope', name })));
    case 'policy':
      return namesOf(given['policies'], `${coordinate} @policy(policies:)`).map((all) => all.map((name) => ({ kind: 'policy', name })));
    case 'auth':
    default: {
      const role = given['requires'];
      if (typeof role !== 'string' || role === '') throw unresolved(coordinate, '@auth(requires:) must be the name of a role');
      return [[role === EVERYBODY_SIGNED_IN ? SIGNED_IN : { kind: 'role', name: role }]];
    }
  }
}

/**
 * Returns lists of lists of names. Empty lists are rejected, because they would mean no caller or every caller, which is certainly a
 * mistake.
 */
function namesOf(value: unknown, where: string): readonly (readonly string[])[] {
  const isNames = (names: unknown): names is readonly string[] =>
    Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
  if (!Array.isArray(value) || value.length === 0 || !value.every(isNames)) {
    throw new SupergraphInvalid(
      `The supergraph cannot be served: ${where} must be a list of lists of names, and each list must contain at least one name.`,
    );
  }
  return value;
}

function ownerOf({ arguments: given }: AuthorizationRule, coordinate: string): string | undefined {
  const owner = given['orOwner'] ?? undefined;
  if (owner === undefined) return undefined;
  if (typeof owner !== 'string' || owner === '') throw unresolved(coordinate, '@auth(orOwner:) must be the name of a field');
  return owner;
}

/** Creates the error for a rule that cannot be enforced. */
export function unresolved(coordinate: string, reason: string): SupergraphInvalid {
  return new SupergraphInvalid(`The supergraph cannot be served: the rule of ${coordinate} cannot be enforced: ${reason}.`);
}
