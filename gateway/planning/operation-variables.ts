import {
  type ArgumentNode,
  DirectiveLocation,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type ValueNode,
} from 'graphql';
import { type AnnotatedNode, passedDirectives } from '../operation/executable-directives.ts';
import { printDirectives } from './data-keys.ts';
import type { PlannedFetch, PlanVariable } from './operation-plan.ts';

/** Returns the variables of an operation by name, as requests to subgraphs declare them. */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, PlanVariable> {
  return new Map(
    variableDefinitions.map((definition) => {
      const { variable, type, defaultValue } = definition;
      const fallback = defaultValue === undefined ? '' : ` = ${print(defaultValue)}`;
      return [variable.name.value, { name: variable.name.value, type: print(type) + fallback + (printDirectives(definition) ?? '') }];
    }),
  );
}

/** A field, or an operation, which has no arguments. */
interface UsingNode extends AnnotatedNode {
  readonly arguments?: readonly ArgumentNode[] | undefined;
}

/** Collects the declared variables that a node uses in its arguments and in the directives that subgraphs execute, each once. */
export function variablesIn(node: UsingNode, declared: ReadonlyMap<string, PlanVariable>): readonly PlanVariable[] {
  const found = new Set<PlanVariable>();
  const collect = (value: ValueNode): void => {
    if (value.kind === Kind.VARIABLE) {
      const variable = declared.get(value.name.value);
      if (variable !== undefined) found.add(variable);
    } else if (value.kind === Kind.LIST) {
      for (const item of value.values) collect(item);
    } else if (value.kind === Kind.OBJECT) {
      for (const field of value.fields) collect(field.value);
    }
  };
  for (const { arguments: given = [] } of [node, ...passedDirectives(node)]) for (const { value } of given) collect(value);
  return [...found];
}

/** Allowed locations of the directives of a supergraph, by directive name. */
export type DirectiveLocations = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the allowed locations of the directives of a supergraph. */
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
 * Adds the directives of the operation to each fetch, because one operation becomes several requests. A mutation fetches entities with
 * queries, so directives that are not allowed on queries are omitted there.
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
