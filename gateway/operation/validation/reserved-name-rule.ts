import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** Reserved name. As a key of a plain object, it would set the prototype of the object. */
export const RESERVED = '__proto__';

/** Rejects aliases, variables, operations and fragments named `__proto__`, because response keys and variables become keys of objects. */
export function reservedNameRule(context: ValidationContext): ASTVisitor {
  return {
    Name(node) {
      if (node.value === RESERVED) context.reportError(new GraphQLError(`The name "${RESERVED}" is reserved.`, { nodes: node }));
    },
  };
}
