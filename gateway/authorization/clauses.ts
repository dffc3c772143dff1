import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { Atom, Guard } from './requirement.ts';

/** Texts of atoms, of which at least one must be true. Access for owners is `owner:` with the path of the owner's name. */
export type Clause = ReadonlySet<string>;

const SIGNED_IN = 'signedIn:';

/** Maximum number of clauses of one rule. Written rules are much smaller, but a product of alternatives can exceed it. */
const MAX_CLAUSES = 4_096;

/**
 * Converts guards to clauses that must all be true: a normal form in which rules can be compared.
 *
 * @param path path of the object whose owner is meant, so that owners of different objects differ
 */
export function clausesOf(guards: readonly Guard[], path: string): readonly Clause[] {
  return guards.flatMap(({ requirement: { alternatives }, owner }) => {
    const all = owner === undefined ? alternatives.map(textsOf) : [...alternatives.map(textsOf), [`owner:${path}${owner}`]];
    let clauses: readonly (readonly string[])[] = [[]];
    for (const alternative of all) {
      clauses = clauses.flatMap((clause) => alternative.map((atom) => clause.concat(atom)));
      if (clauses.length > MAX_CLAUSES) {
        throw new SupergraphInvalid(
          'The supergraph cannot be served: a rule has too many alternatives to be compared with other rules. Use fewer alternatives.',
        );
      }
    }
    return clauses.map((clause) => new Set(clause));
  });
}

function textsOf(atoms: readonly Atom[]): readonly string[] {
  return atoms.map(({ kind, name }) => `${kind}:${name}`);
}

/**
 * Whether a caller who fulfills all of `clauses` also fulfills `wanted`. Nothing is negated, so a single clause must imply it. A caller
 * with a scope, a role or ownership is signed in.
 */
export function doesCover(clauses: readonly Clause[], wanted: Clause): boolean {
  const isIn = (atom: string): boolean => wanted.has(atom) || (wanted.has(SIGNED_IN) && !atom.startsWith('policy:'));
  return clauses.some((clause) => [...clause].every(isIn));
}
