import { type ASTVisitor, type DirectiveNode, GraphQLError, type ValidationContext } from 'graphql';
import { isExecutedHere } from '../directives.ts';

/**
 * Refuses executable directives of subgraphs where no subgraph would receive them. The gateway sends fields and variable definitions to
 * subgraphs with their directives, and each request has the directives of the operation; it does not send fragments as the client wrote
 * them. Unknown directives and wrong locations are left to the rule `KnownDirectives` of graphql-js.
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
  };
}

const ON_FIELDS = 'Write it on fields, or on the operation, if the directive allows it';
