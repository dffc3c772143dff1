import {
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  isInputType,
  isNonNullType,
  typeFromAST,
} from 'graphql';

/** A variable with its type, as all the compilers of bindings see it. */
export interface TypedVariable {
  readonly node: VariableDefinitionNode;
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The type without `!`. */
  readonly nullable: GraphQLInputType;
  /** Whether clients must give it. */
  readonly isRequired: boolean;
}

/** The variables of an operation that has passed validation. */
export function readVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly TypedVariable[] {
  return (operation.variableDefinitions ?? []).flatMap((node) => {
    const type = typeFromAST(schema, node.type);
    if (!isInputType(type)) return []; // validation has told
    const isRequired = isNonNullType(type) && node.defaultValue === undefined;
    return [{ node, name: node.variable.name.value, type, nullable: isNonNullType(type) ? type.ofType : type, isRequired }];
  });
}
