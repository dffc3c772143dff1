import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { GatewayError } from '../platform/errors.ts';
import { reachableDefinitions } from './reachable-definitions.ts';

/** Names of all variables that `@skip` and `@include` depend on, in an operation and in the fragments it reaches. */
export function conditionVariablesOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly string[] {
  const names = new Set<string>();
  for (const definition of reachableDefinitions(operation, fragments)) {
    visit(definition, {
      Directive(directive) {
        if (directive.name.value !== 'skip' && directive.name.value !== 'include') return;
        for (const { value } of directive.arguments ?? []) {
          if (value.kind === Kind.VARIABLE) names.add(value.name.value);
        }
      },
    });
  }
  return [...names];
}

/**
 * The values of the condition variables, as one bit each: equal bits mean the same shape of the response.
 *
 * @throws GatewayError `BAD_USER_INPUT` when one is null: a variable of type `Boolean` with a default may be, and then
 * fits neither directive (GraphQL specification, 5.8.5)
 */
export function readConditions(names: readonly string[], variables: Readonly<Record<string, unknown>>): string {
  let bits = '';
  for (const name of names) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (typeof value !== 'boolean') {
      throw new GatewayError('BAD_USER_INPUT', `Variable "$${name}" decides what is skipped or included and must be true or false.`);
    }
    bits += value ? '1' : '0';
  }
  return bits;
}
