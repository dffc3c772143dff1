import { type ASTVisitor, GraphQLError, Kind, OperationTypeNode, type SelectionNode, type ValidationContext } from 'graphql';

/**
 * Rejects an operation whose root type the schema does not define (GraphQL, section 6.2). No rule of graphql-js 16 checks this: without the
 * type it finds no field to report.
 */
export function rootTypeRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`The schema has no ${PLURAL[node.operation]}.`, { nodes: node }));
    },
  };
}

const PLURAL = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };

/**
 * Requires that a subscription has one root field, no introspection, and no root selection that depends on variables (GraphQL, section
 * 5.2.4.1). Replaces the rule of graphql-js 16, which evaluates `@skip` and `@include` there without the variables and throws.
 */
export function subscriptionRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, name, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const who = name === undefined ? 'Anonymous Subscription' : `Subscription "${name.value}"`;
      const names = new Set<string>();
      for (const selection of selectionsAtRoot(context, selectionSet.selections)) {
        for (const directive of selection.directives ?? []) {
          if (!CONDITIONS.has(directive.name.value)) continue;
          const message = `${who} must not use "@${directive.name.value}" on its top level field.`;
          context.reportError(new GraphQLError(message, { nodes: directive }));
        }
        if (selection.kind !== Kind.FIELD) continue;
        const key = (selection.alias ?? selection.name).value;
        if (names.size > 0 && !names.has(key)) {
          context.reportError(new GraphQLError(`${who} must select only one top level field.`, { nodes: selection }));
        }
        names.add(key);
        if (selection.name.value.startsWith('__')) {
          const message = `${who} must not select an introspection top level field.`;
          context.reportError(new GraphQLError(message, { nodes: selection }));
        }
      }
    },
  };
}

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * Returns the selections of the root type, including those in fragments. Each fragment is visited once, so that nested fragments cost no
 * more than their text.
 */
function selectionsAtRoot(context: ValidationContext, selections: readonly SelectionNode[]): readonly SelectionNode[] {
  const all = [...selections];
  const seen = new Set<string>();
  // The list grows during the iteration.
  for (const selection of all) {
    if (selection.kind === Kind.INLINE_FRAGMENT) all.push(...selection.selectionSet.selections);
    if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) continue;
    seen.add(selection.name.value);
    all.push(...(context.getFragment(selection.name.value)?.selectionSet.selections ?? []));
  }
  return all;
}
