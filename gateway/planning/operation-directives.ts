import { type DirectiveNode, DirectiveLocation, type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import { passedDirectives } from '../operation/passed-directives.ts';
import { printDirectives } from './data-keys.ts';
import { declaredVariables } from './declared-variables.ts';
import type { PlannedFetch } from './operation-plan.ts';
import { variablesIn } from './variables-in.ts';

/** Lists the locations that each directive of a supergraph allows, by the name of the directive. */
export type DirectiveLocations = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads where the directives of a supergraph may stand. */
export function readDirectiveLocations({ definitions }: DocumentNode): DirectiveLocations {
  const locations = new Map<string, ReadonlySet<string>>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.DIRECTIVE_DEFINITION) continue;
    locations.set(definition.name.value, new Set(definition.locations.map(({ value }) => value)));
  }
  return locations;
}

const LOCATION_OF = {
  query: DirectiveLocation.QUERY,
  mutation: DirectiveLocation.MUTATION,
  subscription: DirectiveLocation.SUBSCRIPTION,
} as const satisfies Record<PlannedFetch['kind'], DirectiveLocation>;

/**
 * Adds the directives of the operation to each fetch, as one operation becomes several requests. A mutation asks entities by queries: a
 * directive that may not stand on queries is left out there.
 */
export function passOperationDirectives(
  fetches: readonly PlannedFetch[],
  operation: OperationDefinitionNode,
  locations: DirectiveLocations,
): readonly PlannedFetch[] {
  const passed = passedDirectives(operation);
  if (passed.length === 0) return fetches;
  const declared = declaredVariables(operation);
  return fetches.map((fetch): PlannedFetch => {
    const isAllowed = ({ name }: DirectiveNode): boolean => locations.get(name.value)?.has(LOCATION_OF[fetch.kind]) === true;
    const directives = passed.filter(isAllowed);
    const printed = printDirectives({ directives });
    if (printed === undefined) return fetch;
    const variables = variablesIn({ directives }, declared);
    return { ...fetch, directives: printed, ...(variables.length === 0 ? {} : { variables }) };
  });
}
