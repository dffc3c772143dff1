import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

/**
 * Asks for the type name of every object of which conditions may leave nothing to ask. The planner drops a field together
 * with the last thing that is asked of it, so that an object would be missing that the specification answers as `{}`
 * (section 6.3): null for the client, or, where it must not be null, the loss of all around it. What is added here is
 * fetched and not printed: the response has the shape of the client's own document.
 */
export function keepEmptyObjects(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  }
  const known = new Map<string, boolean>();

  function canBeEmpty({ selections }: SelectionSetNode): boolean {
    return selections.every(canBeAbsent);
  }

  function canBeAbsent(selection: SelectionNode): boolean {
    if (selection.directives?.some(isCondition) === true) return true;
    if (selection.kind === Kind.FIELD) return false;
    if (selection.kind === Kind.INLINE_FRAGMENT) return canBeEmpty(selection.selectionSet);
    const { value: name } = selection.name;
    let answer = known.get(name);
    if (answer === undefined) {
      const fragment = fragments.get(name);
      answer = fragment !== undefined && canBeEmpty(fragment);
      known.set(name, answer);
    }
    return answer;
  }

  return visit(document, {
    Field: {
      enter: (field) => (field.name.value.startsWith('__') ? false : undefined),
      leave({ selectionSet, ...field }) {
        if (selectionSet === undefined || !canBeEmpty(selectionSet)) return undefined;
        return { ...field, selectionSet: { ...selectionSet, selections: [...selectionSet.selections, TYPENAME] } };
      },
    },
  });
}

function isCondition({ name }: DirectiveNode | ConstDirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}
