import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';

/** Returns every rule of a supergraph that only the Gatefold engine enforces: directives with the coordinate they are on. */
export function rulesIn({ authorization, creatorGrants }: Pick<LoadedSupergraph, 'authorization' | 'creatorGrants'>): readonly string[] {
  const guards = [...authorization].flatMap(([coordinate, rules]) =>
    [...new Set(rules.map(({ directive }) => directive))].map((directive) => `@${directive} of ${coordinate}`),
  );
  return [...guards, ...[...creatorGrants.keys()].map((coordinate) => `@creatorMayRead of ${coordinate}`)];
}

/** Maximum number of names in a message. The rest is counted. @unit names */
const MOST_NAMES = 5;

export function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
