import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

/**
 * Asks for the type name of every object of which conditions, or fragments for other types, may leave nothing to ask. The planner drops a field together
 * with the last thing that is asked of it, so that an object would be missing that the specification answers as `{}`
 * (section 6.3): null for the client, or, where it must not be null, the loss of all around it. What is added here is
 * fetched and not printed: the response has the shape of the client's own document.
 */
export function keepEmptyObjects(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, boolean>();

  function canBeEmpty({ selections }: SelectionSetNode, type: GraphQLNamedType): boolean {
    return selections.every((selection) => canBeAbsent(selection, type));
  }

  function canBeAbsent(selection: SelectionNode, type: GraphQLNamedType): boolean {
    if (selection.directives?.some(isCondition) === true) return true;
    if (selection.kind === Kind.FIELD) return false;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return canBePassedOver(selection.typeCondition, type) || canBeEmpty(selection.selectionSet, type);
    }
    const name = `${type.name}.${selection.name.value}`;
    let answer = known.get(name);
    if (answer === undefined) {
      const fragment = fragments.get(selection.name.value);
      answer = fragment !== undefined && (canBePassedOver(fragment.typeCondition, type) || canBeEmpty(fragment.selectionSet, type));
      known.set(name, answer);
    }
    return answer;
  }

  /** Whether there may be values of `type` that a fragment on `condition` does not apply to. */
  function canBePassedOver(condition: NamedTypeNode | undefined, type: GraphQLNamedType): boolean {
    if (condition === undefined || condition.name.value === type.name) return false;
    const wanted = schema.getType(condition.name.value);
    return !isAbstractType(wanted) || !(isObjectType(type) || isInterfaceType(type)) || !schema.isSubType(wanted, type);
  }

  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field: {
      enter: (field) => (field.name.value.startsWith('__') ? false : undefined),
      leave({ selectionSet, ...field }) {
        const type = getNamedType(types.getType());
        if (selectionSet === undefined || !type || !canBeEmpty(selectionSet, type)) return undefined;
        return { ...field, selectionSet: { ...selectionSet, selections: [...selectionSet.selections, TYPENAME] } };
      },
    },
  });
  return visit(document, visitor);
}

function isCondition({ name }: DirectiveNode | ConstDirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}
