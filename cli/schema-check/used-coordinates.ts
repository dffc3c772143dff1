import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Returns the elements of a schema that a document uses, as paths: `Type`, `Type.field`, `Type.field.argument`, `Enum.VALUE`,
 * `Input.field`, `@directive` and `@directive.argument`. A field of an interface includes the fields of all types that implement it, and a
 * variable includes everything that its value can contain.
 *
 * @param document a document that is valid for the schema
 */
export function usedCoordinates(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const used = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field({ name }) {
        const parent = info.getParentType();
        const type = info.getType();
        if (parent === undefined || parent === null) return;
        for (const owner of isAbstractType(parent) ? [parent, ...schema.getPossibleTypes(parent)] : [parent]) {
          used.add(owner.name).add(`${owner.name}.${name.value}`);
        }
        if (type !== undefined && type !== null) used.add(getNamedType(type).name);
      },
      Argument({ name }) {
        const directive = info.getDirective();
        const parent = info.getParentType();
        const field = info.getFieldDef();
        if (directive !== undefined && directive !== null) used.add(`@${directive.name}.${name.value}`);
        else if (parent !== undefined && parent !== null && field !== undefined && field !== null) {
          for (const owner of isInterfaceType(parent) ? [parent, ...schema.getPossibleTypes(parent)] : [parent]) {
            used.add(`${owner.name}.${field.name}.${name.value}`);
          }
        }
        addInput(info.getInputType());
      },
      Directive: ({ name }) => void used.add(`@${name.value}`),
      NamedType: ({ name }) => void used.add(name.value),
      ObjectField({ name }) {
        const parent = info.getParentInputType();
        const type = parent === undefined || parent === null ? undefined : getNamedType(parent);
        if (type !== undefined) used.add(`${type.name}.${name.value}`);
        addInput(info.getInputType());
      },
      EnumValue({ value }) {
        const type = info.getInputType();
        if (type !== undefined && type !== null) used.add(`${getNamedType(type).name}.${value}`);
      },
      VariableDefinition(definition) {
        const type = typeFromAST(schema, definition.type);
        if (type !== undefined && isInputType(type)) addEverything(getNamedType(type));
      },
    }),
  );
  return used;

  function addInput(type: GraphQLInputType | null | undefined): void {
    if (type !== undefined && type !== null) used.add(getNamedType(type).name);
  }

  /** Adds everything that a value of an input type can contain. */
  function addEverything(first: GraphQLNamedInputType): void {
    const visited = new Set<GraphQLNamedInputType>();
    const pending: GraphQLNamedInputType[] = [first];
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      if (visited.has(type)) continue;
      visited.add(type);
      used.add(type.name);
      if (isEnumType(type)) for (const { name } of type.getValues()) used.add(`${type.name}.${name}`);
      if (!isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        used.add(`${type.name}.${field.name}`);
        pending.push(getNamedType(field.type));
      }
    }
  }
}

/** Changes of something that a document need not mention: they affect each document that uses the parent. */
const AFFECTS_PARENT: ReadonlySet<string> = new Set([
  'ENUM_VALUE_ADDED',
  'INPUT_FIELD_ADDED',
  'FIELD_ARGUMENT_ADDED',
  'FIELD_ARGUMENT_TYPE_CHANGED',
  'FIELD_ARGUMENT_DEFAULT_CHANGED',
  'DIRECTIVE_ARGUMENT_ADDED',
]);

/** Returns the element that a change affects, in the form of `usedCoordinates`. */
export function affectedCoordinate({ type, path }: { readonly type: string; readonly path: string }): string {
  const element = path.replace(/\.@deprecated$/, '');
  return AFFECTS_PARENT.has(type) ? element.slice(0, element.lastIndexOf('.')) : element;
}
