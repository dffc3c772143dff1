import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, visit } from 'graphql';

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Adds `__typename` to the end of every selection that has none, except on root types. */
export function addTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet(selectionSet, _key, parent): SelectionSetNode | undefined {
      const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      if (isRoot || selectionSet.selections.some(isIntrospecting)) return undefined;
      return { ...selectionSet, selections: [...selectionSet.selections, TYPENAME] };
    },
  });
}

function isIntrospecting(selection: SelectionSetNode['selections'][number]): boolean {
  return selection.kind === Kind.FIELD && selection.name.value.startsWith('__');
}
