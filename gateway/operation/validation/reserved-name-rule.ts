import { type ASTVisitor, GraphQLError, type NameNode, type ValidationContext } from 'graphql';

/** Reserved name. As a key of a plain object, it would set the prototype of the object. */
export const RESERVED = '__proto__';

/**
 * Rejects fields, aliases, variables, operations, fragments and keys of input objects named `__proto__`, because response keys, variables
 * and values become keys of objects. No schema can define types, arguments or directives of this name.
 */
export function reservedNameRule(context: ValidationContext): ASTVisitor {
  function check(node: NameNode | undefined): void {
    if (node?.value === RESERVED) context.reportError(new GraphQLError(`The name "${RESERVED}" is reserved.`, { nodes: node }));
  }
  return {
    Field({ alias, name }) {
      check(alias);
      check(name);
    },
    OperationDefinition: ({ name }) => check(name),
    FragmentDefinition: ({ name }) => check(name),
    VariableDefinition: ({ variable }) => check(variable.name),
    ObjectField: ({ name }) => check(name),
  };
}
