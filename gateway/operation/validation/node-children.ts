import { type ASTNode, Kind } from 'graphql';

/** Properties of nodes that contain nodes, by kind. */
export type Children = Readonly<Partial<Record<Kind, readonly string[]>>>;

/** Properties of executable nodes, in the order in which graphql-js visits them. */
export const CHILDREN: Children = {
  [Kind.DOCUMENT]: ['definitions'],
  [Kind.OPERATION_DEFINITION]: ['name', 'variableDefinitions', 'directives', 'selectionSet'],
  [Kind.VARIABLE_DEFINITION]: ['variable', 'type', 'defaultValue', 'directives'],
  [Kind.VARIABLE]: ['name'],
  [Kind.SELECTION_SET]: ['selections'],
  [Kind.FIELD]: ['alias', 'name', 'arguments', 'directives', 'selectionSet'],
  [Kind.ARGUMENT]: ['name', 'value'],
  [Kind.FRAGMENT_SPREAD]: ['name', 'directives'],
  [Kind.INLINE_FRAGMENT]: ['typeCondition', 'directives', 'selectionSet'],
  [Kind.FRAGMENT_DEFINITION]: ['name', 'typeCondition', 'directives', 'selectionSet'],
  [Kind.LIST]: ['values'],
  [Kind.OBJECT]: ['fields'],
  [Kind.OBJECT_FIELD]: ['name', 'value'],
  [Kind.DIRECTIVE]: ['name', 'arguments'],
  [Kind.NAMED_TYPE]: ['name'],
  [Kind.LIST_TYPE]: ['type'],
  [Kind.NON_NULL_TYPE]: ['type'],
};

/** Returns the value of a property that contains nodes. */
export function nodeAt(node: object, key: string): ASTNode | readonly ASTNode[] | undefined {
  return (node as Readonly<Record<string, ASTNode | readonly ASTNode[] | undefined>>)[key];
}

export function isNodeList(child: ASTNode | readonly ASTNode[] | undefined): child is readonly ASTNode[] {
  return Array.isArray(child);
}
