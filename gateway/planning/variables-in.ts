import { type FieldNode, Kind, type ValueNode } from 'graphql';
import { passedDirectives } from '../operation/passed-directives.ts';
import type { PlanVariable } from './operation-plan.ts';

/** The declared variables that a field uses in its arguments and in the directives that its subgraph executes, each once. */
export function variablesIn(field: FieldNode, declared: ReadonlyMap<string, PlanVariable>): readonly PlanVariable[] {
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
  for (const { arguments: given = [] } of [field, ...passedDirectives(field)]) for (const { value } of given) collect(value);
  return [...found];
}
