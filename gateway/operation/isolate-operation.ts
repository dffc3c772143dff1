import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** One operation of a document, and what can be told of it without its schema. */
export interface IsolatedOperation {
  readonly operation: OperationDefinitionNode;
  /** The operation and the fragments it reaches, nothing else. */
  readonly document: DocumentNode;
  /** Whether it asks for `__schema` or `__type` anywhere; `__typename` is no introspection. */
  readonly isIntrospecting: boolean;
}

/** Cuts an operation out of its document: other operations' fragments may use variables that this one does not have. */
export function isolateOperation(document: DocumentNode, operation: OperationDefinitionNode): IsolatedOperation {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  const reached = new Set<FragmentDefinitionNode>();
  const pending: SelectionSetNode[] = [operation.selectionSet];
  let isIntrospecting = false;
  for (let selectionSet = pending.pop(); selectionSet !== undefined; selectionSet = pending.pop()) {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || reached.has(fragment)) continue;
        reached.add(fragment);
        pending.push(fragment.selectionSet);
        continue;
      }
      if (selection.kind === Kind.FIELD) isIntrospecting ||= isIntrospectionField(selection.name.value);
      if (selection.selectionSet !== undefined) pending.push(selection.selectionSet);
    }
  }
  return { operation, document: { kind: Kind.DOCUMENT, definitions: [operation, ...reached] }, isIntrospecting };
}

function isIntrospectionField(name: string): boolean {
  return name === '__schema' || name === '__type';
}
