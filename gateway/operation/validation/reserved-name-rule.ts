import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** As a key of a plain object it would set the object's prototype. */
export const RESERVED = '__proto__';

/** No alias, variable, operation or fragment may be called `__proto__`: response keys and variables become keys of objects. */
export function reservedNameRule(context: ValidationContext): ASTVisitor {
  return {
    Name(node) {
      if (node.value === RESERVED) context.reportError(new GraphQLError(`The name "${RESERVED}" is reserved.`, { nodes: node }));
    },
  };
}
