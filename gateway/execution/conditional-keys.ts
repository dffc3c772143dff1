import { type DirectiveNode, type DocumentNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * Response keys of a fetch that a condition can leave out: their fields, or something around them, have `@skip` or
 * `@include`.
 *
 * @param isConditional whether the fetch as a whole depends on a condition
 */
export function conditionalKeysOf(document: DocumentNode, isConditional: boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  const conditionalFragments = new Set<string>();
  const collect = ({ selections }: SelectionSetNode, isInside: boolean): void => {
    for (const selection of selections) {
      const isHere = isInside || selection.directives?.some(isCondition) === true;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (isHere) conditionalFragments.add(selection.name.value);
        continue;
      }
      if (selection.kind === Kind.FIELD && isHere) keys.add(selection.alias?.value ?? selection.name.value);
      if (selection.selectionSet !== undefined) collect(selection.selectionSet, isHere);
    }
  };
  // A fragment may be found to be conditional only after it was walked through: again until nothing is found any more.
  for (let round = 0; round < document.definitions.length; round += 1) {
    const known = conditionalFragments.size;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) collect(definition.selectionSet, isConditional);
      if (definition.kind === Kind.FRAGMENT_DEFINITION) {
        collect(definition.selectionSet, isConditional || conditionalFragments.has(definition.name.value));
      }
    }
    if (conditionalFragments.size === known) break;
  }
  return keys;
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}
