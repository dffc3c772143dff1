import {
  type ASTVisitFn,
  type ASTVisitor,
  getEnterLeaveForKind,
  Kind,
  KnownTypeNamesRule,
  type NamedTypeNode,
  type ValidationContext,
} from 'graphql';

/**
 * Reports types that do not exist, like the rule of graphql-js. That rule lists all types of the schema for each document, although only
 * the message about an unknown type needs the list.
 */
export function knownTypeNamesRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  let report: ASTVisitFn<NamedTypeNode> | undefined;
  const visit: ASTVisitFn<NamedTypeNode> = (...visited) => {
    const [{ name }] = visited;
    if (schema.getType(name.value) !== undefined) return;
    report ??= getEnterLeaveForKind(KnownTypeNamesRule(context), Kind.NAMED_TYPE).enter;
    report?.(...visited);
  };
  return { NamedType: visit };
}
