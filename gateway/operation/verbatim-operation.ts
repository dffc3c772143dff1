import { type OperationDefinitionNode, print } from 'graphql';
import type { CanonicalOperation } from './canonical-operation.ts';
import { conditionVariablesOf, deferConditionsOf } from './condition-variables.ts';
import type { IsolatedOperation } from './isolate-operation.ts';

/** What stands in for the canonical form of a valid operation that has none: the operation as it is, without its name. */
export function verbatimOperation({ document, operation }: IsolatedOperation): CanonicalOperation {
  const defer = deferConditionsOf(document);
  const definitions = document.definitions.map((definition) => (definition === operation ? withoutName(operation) : definition));
  return {
    text: print({ ...document, definitions }),
    aliases: new Map(),
    literals: {},
    variables: (operation.variableDefinitions ?? []).map(({ variable }) => sameName(variable.name.value)),
    conditions: conditionVariablesOf(document).map(sameName),
    ...(defer === undefined ? {} : { defer: { isAlways: defer.isAlways, variables: defer.variables.map(sameName) } }),
  };
}

function withoutName({ name: _name, ...operation }: OperationDefinitionNode): OperationDefinitionNode {
  return operation;
}

function sameName(name: string): { readonly name: string; readonly canonicalName: string } {
  return { name, canonicalName: name };
}
