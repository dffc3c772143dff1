import { type OperationDefinitionNode, print } from 'graphql';
import { printDirectives } from './data-keys.ts';
import type { PlanVariable } from './operation-plan.ts';

/** The variables of an operation by name, as requests to subgraphs declare them. */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, PlanVariable> {
  return new Map(
    variableDefinitions.map((definition) => {
      const { variable, type, defaultValue } = definition;
      const fallback = defaultValue === undefined ? '' : ` = ${print(defaultValue)}`;
      return [variable.name.value, { name: variable.name.value, type: print(type) + fallback + (printDirectives(definition) ?? '') }];
    }),
  );
}
