import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';

/** Returns all uses of a directive on one definition. */
export function directivesOf(
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): readonly ConstDirectiveNode[] {
  return node.directives?.filter((directive) => directive.name.value === name) ?? [];
}

/** Returns the arguments of a directive as values, with enum values as their names. Returns an empty object without a directive. */
export function argumentsOf(directive: ConstDirectiveNode | undefined): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, value } of directive?.arguments ?? []) {
    if (name.value === '__proto__') continue; // No directive has this argument, and it would change the prototype of the result.
    // Strings and enum values are nearly all arguments of a supergraph.
    const isText = value.kind === Kind.STRING || value.kind === Kind.ENUM;
    values[name.value] = isText ? value.value : valueFromASTUntyped(value);
  }
  return values;
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

/**
 * Returns the uses of directives in a document, in definitions and extensions, in the order of the document.
 *
 * @param isWanted whether uses of a directive of this name are returned. Coordinates of others are not built, because a large supergraph has
 * hundreds of thousands of them.
 * @defaultValue all uses
 */
export function directiveLocationsIn(document: DocumentNode, isWanted?: (name: string) => boolean): readonly DirectiveLocation[] {
  const locations: DirectiveLocation[] = [];
  const decided = new Map<string, boolean>();
  const isIncluded = (name: string): boolean => {
    let decision = decided.get(name);
    if (decision === undefined) decided.set(name, (decision = isWanted?.(name) ?? true));
    return decision;
  };
  forEachElement(document, ({ directives }, owner, member, argument) => {
    for (const node of directives ?? NO_DIRECTIVES) {
      if (isIncluded(node.name.value)) {
        locations.push({ coordinate: coordinateOf(owner, member, argument), node, isGuardable: isGuardable(owner, argument) });
      }
    }
  });
  return locations;
}

/** Returns the names of the directives that a document applies. */
export function directiveNamesIn(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  forEachElement(document, ({ directives }) => {
    for (const { name } of directives ?? NO_DIRECTIVES) names.add(name.value);
  });
  return names;
}

/** Returns the coordinates of all elements that a document defines or extends, as in `DirectiveLocation`. */
export function coordinatesOf(document: DocumentNode): ReadonlySet<string> {
  const coordinates = new Set<string>();
  forEachElement(document, (_element, owner, member, argument) => void coordinates.add(coordinateOf(owner, member, argument)));
  return coordinates;
}

const NO_DIRECTIVES: readonly ConstDirectiveNode[] = [];

/** A definition or extension whose elements are visited. */
type Owner = Exclude<DocumentNode['definitions'][number], OperationDefinitionNode | FragmentDefinitionNode>;

function coordinateOf(owner: Owner, member: string | undefined, argument: string | undefined): string {
  if (!('name' in owner)) return 'schema';
  if (owner.kind === Kind.DIRECTIVE_DEFINITION) return `@${owner.name.value}(${argument ?? ''}:)`;
  const path = member === undefined ? owner.name.value : `${owner.name.value}.${member}`;
  return argument === undefined ? path : `${path}(${argument}:)`;
}

/** Whether rules are enforced on an element. Arguments and values of enums have no rules. */
function isGuardable({ kind }: Owner, argument: string | undefined): boolean {
  return argument === undefined && GUARDABLE.has(kind);
}

type VisitElement = (element: Annotated, owner: Owner, member: string | undefined, argument: string | undefined) => void;

/** Calls a function with every element of a schema that can have directives. */
function forEachElement({ definitions }: DocumentNode, visit: VisitElement): void {
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) continue;
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      for (const value of definition.arguments ?? []) visit(value, definition, undefined, value.name.value);
      continue;
    }
    visit(definition, definition, undefined, undefined);
    if ('fields' in definition) {
      for (const field of definition.fields ?? []) {
        visit(field, definition, field.name.value, undefined);
        if (!('arguments' in field)) continue;
        for (const value of field.arguments ?? []) visit(value, definition, field.name.value, value.name.value);
      }
    }
    if ('values' in definition) for (const value of definition.values ?? []) visit(value, definition, value.name.value, undefined);
  }
}
