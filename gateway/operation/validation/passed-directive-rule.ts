import { type ASTVisitor, type DirectiveNode, GraphQLError, type ValidationContext } from 'graphql';
import { isExecutedHere } from '../executable-directives.ts';

/**
 * Rejects executable directives of subgraphs that no subgraph would receive. The gateway sends fields and variable definitions to subgraphs
 * with their directives, and each request has the directives of the operation. Fragments are not sent as the client wrote them. The
 * graphql-js rule `KnownDirectives` checks unknown directives and wrong locations.
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
      refuse(directives, () => `it is on an inline fragment ${around()}. ${ON_FIELDS}`);
    },
    FragmentSpread({ name, directives }) {
      refuse(directives, () => `it is on a spread of the fragment "${name.value}" ${around()}. ${ON_FIELDS}`);
    },
    FragmentDefinition({ name, directives }) {
      refuse(directives, () => `it is on the definition of the fragment "${name.value}". ${ON_FIELDS}`);
    },
  };
}

const ON_FIELDS = 'Use it on fields or on the operation, if the directive allows that';
