import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { Atom, Guard } from './requirement.ts';

/** Texts of atoms of which one must be true; what owners may see has `owner:` and where their name stands. */
export type Clause = ReadonlySet<string>;

const SIGNED_IN = 'signedIn:';

/** Clauses of one rule. Nobody writes as many; a product of alternatives can have them. */
const MAX_CLAUSES = 4_096;

/**
 * Guards as clauses that must all be true: the normal form in which one rule can be compared with another.
 *
 * @param path of the object whose owner is meant, so that owners of different objects are different
 */
export function clausesOf(guards: readonly Guard[], path: string): readonly Clause[] {
  return guards.flatMap(({ requirement: { alternatives }, owner }) => {
    const all = owner === undefined ? alternatives.map(textsOf) : [...alternatives.map(textsOf), [`owner:${path}${owner}`]];
    let clauses: readonly (readonly string[])[] = [[]];
    for (const alternative of all) {
      clauses = clauses.flatMap((clause) => alternative.map((atom) => clause.concat(atom)));
      if (clauses.length > MAX_CLAUSES) {
        throw new SupergraphInvalid(
          'The supergraph cannot be served: a rule has so many alternatives that it cannot be compared with others.',
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
 * Whether whoever fulfils all of `clauses` fulfils `wanted`. Nothing in them is negated, so one of them alone must see to it.
 * Who has a scope or a role, or owns something, is signed in.
 */
export function doesCover(clauses: readonly Clause[], wanted: Clause): boolean {
  const isIn = (atom: string): boolean => wanted.has(atom) || (wanted.has(SIGNED_IN) && !atom.startsWith('policy:'));
  return clauses.some((clause) => [...clause].every(isIn));
}
