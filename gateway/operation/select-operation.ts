import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql';
import { OperationRefused } from './operation-refused.ts';

/**
 * The operation of a document that is to run (GraphQL, section 6.1). An empty name counts as none, as GraphQL over
 * HTTP wants it.
 *
 * @throws OperationRefused `OPERATION_RESOLUTION_FAILURE` when there is none of that name, or several and no name
 */
export function selectOperation(document: DocumentNode, operationName?: string): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (operationName === undefined || operationName === '') {
    if (first === undefined) throw refuse('The document contains no operation.');
    if (operations.length > 1) throw refuse('The document contains several operations: "operationName" must say which one to run.');
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

function refuse(message: string): OperationRefused {
  return new OperationRefused('OPERATION_RESOLUTION_FAILURE', [{ message }]);
}

/** Finds the fragments of a document, by name. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}
