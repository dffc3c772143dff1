import { type ASTVisitor, type DirectiveNode, GraphQLError, type ValidationContext } from 'graphql';
import { isExecutedHere } from './passed-directives.ts';

/**
 * Refuses executable directives of subgraphs where no subgraph would receive them. The gateway sends fields to subgraphs and keeps
 * their directives; it does not send the operation, its fragments and its variable definitions as the client wrote them. Unknown
 * directives and wrong locations are left to the rule `KnownDirectives` of graphql-js.
 */
export function passedDirectiveRule(context: ValidationContext): ASTVisitor {
  const refuse = (directives: readonly DirectiveNode[] | undefined, reason: () => string): void => {
    for (const node of directives ?? []) {
      if (isExecutedHere(node) || !context.getSchema().getDirective(node.name.value)) continue;
      const message = `The directive "@${node.name.value}" cannot be passed on to a subgraph: ${reason()}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    }
  };
  const around = (): string => {
    const field = context.getFieldDef()?.name;
    return field === undefined ? `in a selection of ${String(context.getParentType())}` : `in the field "${field}"`;
  };
  return {
    Field({ name, directives }) {
      if (name.value.startsWith('__')) refuse(directives, () => `the gateway itself resolves the field "${name.value}"`);
    },
    InlineFragment({ directives }) {
      refuse(directives, () => `it stands on an inline fragment ${around()}. ${ON_FIELDS}`);
    },
    FragmentSpread({ name, directives }) {
      refuse(directives, () => `it stands on the spread of the fragment "${name.value}" ${around()}. ${ON_FIELDS}`);
    },
    FragmentDefinition({ name, directives }) {
      refuse(directives, () => `it stands on the definition of the fragment "${name.value}". ${ON_FIELDS}`);
    },
    VariableDefinition({ variable, directives }) {
      refuse(directives, () => `it stands on the definition of the variable "$${variable.name.value}"`);
    },
    OperationDefinition({ operation, name, directives }) {
      const who = name === undefined ? operation : `${operation} "${name.value}"`;
      refuse(directives, () => `it stands on the ${who}, which may take several requests to subgraphs. ${ON_FIELDS}`);
    },
  };
}

const ON_FIELDS = 'Write it on fields if the directive allows it';
