import { type ConstDirectiveNode, type DocumentNode, type InputValueDefinitionNode, Kind, valueFromASTUntyped } from 'graphql';

/** Returns all uses of a directive on one definition. */
export function directivesOf(
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): readonly ConstDirectiveNode[] {
  return node.directives?.filter((directive) => directive.name.value === name) ?? [];
}

/** Returns the arguments of a directive as values, with enum values as their names. Returns an empty object without a directive. */
export function argumentsOf(directive: ConstDirectiveNode | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((directive?.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));
}

/** A use of a directive in SDL. */
export interface DirectiveLocation {
  /** Schema coordinate: `User`, `User.email`, `Query.search(term:)`, `Role.ADMIN`; `schema` for the schema itself. */
  readonly coordinate: string;
  readonly node: ConstDirectiveNode;
  /** Whether authorization rules apply here: to types other than unions and inputs, and to the fields of objects and interfaces. */
  readonly isGuardable: boolean;
}

interface Annotated {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

const GUARDABLE: ReadonlySet<Kind> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_EXTENSION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.ENUM_TYPE_EXTENSION,
]);

/** Returns all uses of directives in a document, in definitions and extensions, in the order of the document. */
export function directiveLocationsIn(document: DocumentNode): readonly DirectiveLocation[] {
  const locations: DirectiveLocation[] = [];
  forEachElement(document, (coordinate, { directives = [] }, isGuardable) => {
    for (const node of directives) locations.push({ coordinate, node, isGuardable });
  });
  return locations;
}

/** Returns the coordinates of all elements that a document defines or extends, as in `DirectiveLocation`. */
export function coordinatesOf(document: DocumentNode): ReadonlySet<string> {
  const coordinates = new Set<string>();
  forEachElement(document, (coordinate) => void coordinates.add(coordinate));
  return coordinates;
}

/** Calls a function with every element of a schema that can have directives. */
function forEachElement(
  { definitions }: DocumentNode,
  visit: (coordinate: string, element: Annotated, isGuardable: boolean) => void,
): void {
  const add = (coordinate: string, element: Annotated, isGuardable = false): void => visit(coordinate, element, isGuardable);
  const addArguments = (owner: string, values: readonly InputValueDefinitionNode[] = []): void => {
    for (const value of values) add(`${owner}(${value.name.value}:)`, value);
  };

  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) continue;
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      add('schema', definition);
      continue;
    }
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      addArguments(`@${definition.name.value}`, definition.arguments);
      continue;
    }
    const type = definition.name.value;
    const isGuardable = GUARDABLE.has(definition.kind);
    add(type, definition, isGuardable);
    if ('fields' in definition) {
      for (const field of definition.fields ?? []) {
        add(`${type}.${field.name.value}`, field, isGuardable);
        if ('arguments' in field) addArguments(`${type}.${field.name.value}`, field.arguments);
      }
    }
    if ('values' in definition) for (const value of definition.values ?? []) add(`${type}.${value.name.value}`, value);
  }
}
