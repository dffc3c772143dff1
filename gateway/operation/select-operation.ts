import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql';
import { OperationRejected } from './operation-rejected.ts';

/**
 * Selects the operation of a document to execute (GraphQL, section 6.1). An empty name means no name, as GraphQL over HTTP requires.
 *
 * @throws OperationRejected `OPERATION_RESOLUTION_FAILURE` when no operation has the name, or when there are several operations and no name
 * is given
 */
export function selectOperation(document: DocumentNode, operationName?: string): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (operationName === undefined || operationName === '') {
    if (first === undefined) throw refuse('The document contains no operation.');
    if (operations.length > 1)
      throw refuse('The document contains several operations: set "operationName" to the name of the operation to execute.');
    return first;
  }
  const named = operations.find(({ name }) => name?.value === operationName);
  if (named === undefined) throw refuse(`The document contains no operation named "${shorten(operationName)}".`);
  return named;
}

const LONGEST_NAME = 100;

function shorten(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
}

function refuse(message: string): OperationRejected {
  return new OperationRejected('OPERATION_RESOLUTION_FAILURE', [{ message }]);
}

/** Collects the fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}
