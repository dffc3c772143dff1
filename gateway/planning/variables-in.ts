import { type ArgumentNode, Kind, type ValueNode } from 'graphql';
import { type AnnotatedNode, passedDirectives } from '../operation/passed-directives.ts';
import type { PlanVariable } from './operation-plan.ts';

/** A field, or an operation, which has no arguments. */
interface UsingNode extends AnnotatedNode {
  readonly arguments?: readonly ArgumentNode[] | undefined;
}

/** The declared variables that a node uses in its arguments and in the directives that subgraphs execute, each once. */
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
