import { type ASTNode, type ASTVisitor, type DirectiveNode, GraphQLError, Kind, type ValidationContext } from 'graphql';
import { isExecutedHere } from './passed-directives.ts';

/**
 * Refuses executable directives of subgraphs where no subgraph would receive them. The gateway sends fields to subgraphs and keeps
 * their directives; it does not send the operation, its fragments and its variable definitions as the client wrote them. Unknown
 * directives and wrong locations are left to the rule `KnownDirectives`.
 */
export function passedDirectiveRule(context: ValidationContext): ASTVisitor {
  return {
    Directive(node, _key, _parent, _path, ancestors) {
      if (isExecutedHere(node) || context.getSchema().getDirective(node.name.value) == null) return;
      const nodes = ancestors.filter((ancestor): ancestor is ASTNode => 'kind' in ancestor);
      const owner = nodes.at(-1);
      const reason = owner === undefined ? undefined : reasonAgainst(owner, nodes);
      if (reason !== undefined) context.reportError(refusalOf(node, reason));
    },
  };
}

function refusalOf(node: DirectiveNode, reason: string): GraphQLError {
  return new GraphQLError(`The directive "@${node.name.value}" cannot be passed on to a subgraph: ${reason}.`, { nodes: node });
}

/** Why the directive of a node cannot be passed on; undefined where it can. */
function reasonAgainst(owner: ASTNode, around: readonly ASTNode[]): string | undefined {
  switch (owner.kind) {
    case Kind.FIELD:
      return owner.name.value.startsWith('__') ? `the gateway itself resolves the field "${owner.name.value}"` : undefined;
    case Kind.INLINE_FRAGMENT:
      return `it stands on an inline fragment ${placeOf(around)}. ${ON_FIELDS}`;
    case Kind.FRAGMENT_SPREAD:
      return `it stands on the spread of the fragment "${owner.name.value}" ${placeOf(around)}. ${ON_FIELDS}`;
    case Kind.FRAGMENT_DEFINITION:
      return `it stands on the definition of the fragment "${owner.name.value}". ${ON_FIELDS}`;
    case Kind.VARIABLE_DEFINITION:
      return `it stands on the definition of the variable "$${owner.variable.name.value}"`;
    case Kind.OPERATION_DEFINITION:
      return `it stands on the ${owner.operation}${owner.name === undefined ? '' : ` "${owner.name.value}"`}, which may take several requests to subgraphs. ${ON_FIELDS}`;
    default:
      return undefined;
  }
}

const ON_FIELDS = 'Write it on fields if the directive allows it';

/** The field or the definition that a fragment stands in. */
function placeOf(around: readonly ASTNode[]): string {
  for (const node of around.slice(0, -1).toReversed()) {
    if (node.kind === Kind.FIELD) return `in the field "${node.name.value}"`;
    if (node.kind === Kind.FRAGMENT_DEFINITION) return `in the fragment "${node.name.value}"`;
    if (node.kind === Kind.OPERATION_DEFINITION) return `at the root of the ${node.operation}`;
  }
  return 'in the document';
}
