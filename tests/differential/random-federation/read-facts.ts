import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  parse,
} from 'graphql';

/** A subgraph as text. */
export interface SubgraphText {
  readonly name: string;
  readonly sdl: string;
}

/** Declarations of a subgraph about a field. */
export interface FieldFacts {
  readonly name: string;
  readonly type: TypeNode;
  readonly isExternal: boolean;
  readonly isInaccessible: boolean;
  readonly requires: SelectionSetNode | undefined;
  readonly provides: SelectionSetNode | undefined;
  readonly overrides: { readonly from: string; readonly label: string | undefined } | undefined;
  /** Arguments that are filled from a context: the name of the context, and the selection that is read from it. */
  readonly contextArguments: ReadonlyMap<string, { readonly context: string; readonly selection: SelectionSetNode }>;
  readonly argumentNames: readonly string[];
}

/** Declarations of a subgraph about a composite type. */
export interface TypeFacts {
  readonly name: string;
  readonly kind: 'object' | 'interface' | 'union';
  readonly isInterfaceObject: boolean;
  readonly isInaccessible: boolean;
  readonly keys: readonly { readonly fields: SelectionSetNode; readonly isResolvable: boolean }[];
  readonly contexts: readonly string[];
  readonly interfaces: readonly string[];
  readonly members: readonly string[];
  readonly fields: ReadonlyMap<string, FieldFacts>;
}

/** Declarations in the SDL of a subgraph, in the format that the world is made from. */
export interface SubgraphFacts {
  readonly name: string;
  readonly document: DocumentNode;
  readonly types: ReadonlyMap<string, TypeFacts>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
}

/** Reads the SDL of a subgraph. Only definitions are supported, not extensions of types. */
export function readFacts({ name, sdl }: SubgraphText): SubgraphFacts {
  const document = parse(sdl, { noLocation: true });
  const types = new Map<string, TypeFacts>();
  const enums = new Map<string, readonly string[]>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      types.set(definition.name.value, readType(definition));
    } else if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      types.set(definition.name.value, {
        ...EMPTY_TYPE,
        name: definition.name.value,
        kind: 'union',
        isInaccessible: has(definition.directives, 'inaccessible'),
        contexts: readContexts(definition.directives),
        members: (definition.types ?? []).map((member) => member.name.value),
      });
    } else if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
      const values = (definition.values ?? []).map((value) => value.name.value);
      enums.set(definition.name.value, values);
    }
  }
  return { name, document, types, enums };
}

const EMPTY_TYPE = {
  isInterfaceObject: false,
  keys: [],
  contexts: [],
  interfaces: [],
  members: [],
  fields: new Map<string, FieldFacts>(),
} as const;

function readType(definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode): TypeFacts {
  const { directives = [] } = definition;
  return {
    name: definition.name.value,
    kind: definition.kind === Kind.OBJECT_TYPE_DEFINITION ? 'object' : 'interface',
    isInterfaceObject: has(directives, 'interfaceObject'),
    isInaccessible: has(directives, 'inaccessible'),
    keys: all(directives, 'key').map((key) => ({
      fields: parseSelection(stringArgument(key, 'fields') ?? ''),
      isResolvable: booleanArgument(key, 'resolvable') ?? true,
    })),
    contexts: readContexts(directives),
    interfaces: (definition.interfaces ?? []).map((known) => known.name.value),
    members: [],
    fields: new Map((definition.fields ?? []).map((field) => [field.name.value, readField(field)])),
  };
}

function readContexts(directives: readonly ConstDirectiveNode[] | undefined): readonly string[] {
  return all(directives, 'context').map((context) => stringArgument(context, 'name') ?? '');
}

function readField(field: FieldDefinitionNode): FieldFacts {
  const { directives = [] } = field;
  const [override] = all(directives, 'override');
  return {
    name: field.name.value,
    type: field.type,
    isExternal: has(directives, 'external'),
    isInaccessible: has(directives, 'inaccessible'),
    requires: selectionOf(directives, 'requires'),
    provides: selectionOf(directives, 'provides'),
    overrides: override && { from: stringArgument(override, 'from') ?? '', label: stringArgument(override, 'label') },
    contextArguments: readContextArguments(field),
    argumentNames: (field.arguments ?? []).map((argument) => argument.name.value),
  };
}

function readContextArguments(field: FieldDefinitionNode): FieldFacts['contextArguments'] {
  const found = new Map<string, { context: string; selection: SelectionSetNode }>();
  for (const argument of field.arguments ?? []) {
    const [directive] = all(argument.directives ?? [], 'fromContext');
    const text = directive && stringArgument(directive, 'field');
    const match = text === undefined ? null : /^\$(\w+) (.+)$/.exec(text);
    if (match?.[1] !== undefined && match[2] !== undefined) {
      found.set(argument.name.value, {
        context: match[1],
        selection: parseSelection(match[2].startsWith('{') ? match[2].slice(1, -1) : match[2]),
      });
    }
  }
  return found;
}

function selectionOf(directives: readonly ConstDirectiveNode[], name: string): SelectionSetNode | undefined {
  const [directive] = all(directives, name);
  const text = directive && stringArgument(directive, 'fields');
  return text === undefined ? undefined : parseSelection(text);
}

/** Parses the text of a `fields` argument. */
function parseSelection(text: string): SelectionSetNode {
  const [definition] = parse(`{ ${text} }`, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`The text is not a selection: ${text}`);
  return definition.selectionSet;
}

function all(directives: readonly ConstDirectiveNode[] | undefined, name: string): readonly ConstDirectiveNode[] {
  return (directives ?? []).filter((directive) => directive.name.value === name);
}

function has(directives: readonly ConstDirectiveNode[] | undefined, name: string): boolean {
  return all(directives, name).length > 0;
}

function stringArgument(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

function booleanArgument(directive: ConstDirectiveNode, name: string): boolean | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}
