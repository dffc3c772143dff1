import { type OperationDefinitionNode, visit } from 'graphql';
import { REST_DIRECTIVE_NAMES } from './directives.ts';

/** The operation as the graph understands it: without our directives and without its description. */
export function stripDirectives(operation: OperationDefinitionNode): OperationDefinitionNode {
  const stripped: OperationDefinitionNode = visit(operation, {
    Directive: (node) => (REST_DIRECTIVE_NAMES.has(node.name.value) ? null : undefined),
  });
  const { description: _description, ...rest } = stripped;
  return rest;
}
