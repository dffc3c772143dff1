import {
  type ASTNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  type TypeNode,
} from 'graphql';

/** A type of a subgraph, with its extensions. */
export interface SchemaType {
  readonly name: string;
  readonly kind: 'object' | 'interface' | 'union' | 'input' | 'enum' | 'scalar';
  /** Definition, or its first extension. */
  readonly node: ASTNode & { readonly name: NameNode };
  readonly directives: readonly ConstDirectiveNode[];
  readonly fields: ReadonlyMap<string, FieldDefinitionNode>;
  readonly inputFields: ReadonlyMap<string, InputValueDefinitionNode>;
  /** Object types that implement the interface, or are members of the union. For other types, only the type itself. */
  readonly possibleTypes: readonly string[];
}

/** Types of a subgraph by name. */
export interface SchemaTypes {
  /** Returns undefined for types that the subgraph does not define, except for the scalars of GraphQL. */
  get(name: string): SchemaType | undefined;
  /** Types that the subgraph defines, in schema order. */
  readonly all: readonly SchemaType[];
  /** Names of the root types. They need not exist. */
  readonly roots: { readonly query: string; readonly mutation: string; readonly subscription: string };
}

interface MutableType {
  name: string;
  kind: SchemaType['kind'];
  node: SchemaType['node'];
  directives: ConstDirectiveNode[];
  fields: Map<string, FieldDefinitionNode>;
  inputFields: Map<string, InputValueDefinitionNode>;
  interfaces: string[];
  members: string[];
}

const KINDS: Readonly<Partial<Record<Kind, SchemaType['kind']>>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.OBJECT_TYPE_EXTENSION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.INTERFACE_TYPE_EXTENSION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.UNION_TYPE_EXTENSION]: 'union',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: 'input',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.ENUM_TYPE_EXTENSION]: 'enum',
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.SCALAR_TYPE_EXTENSION]: 'scalar',
};

const BUILT_IN = ['ID', 'String', 'Int', 'Float', 'Boolean'].map((name): [string, SchemaType] => [
  name,
  {
    name,
    kind: 'scalar',
    node: { kind: Kind.SCALAR_TYPE_DEFINITION, name: { kind: Kind.NAME, value: name } },
    directives: [],
    fields: new Map(),
    inputFields: new Map(),
    possibleTypes: [name],
  },
]);

/** Indexes the types of a subgraph. The document need not be a complete schema. */
export function indexSchemaTypes(document: DocumentNode): SchemaTypes {
  const types = new Map<string, MutableType>();
  const roots = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      for (const { operation, type } of definition.operationTypes ?? []) roots[operation] = type.name.value;
    }
    const kind = KINDS[definition.kind];
    if (kind === undefined || !('name' in definition) || definition.name === undefined) continue;
    addDefinition(types, kind, definition as Definition);
  }
  const all = [...types.values()].map((type): SchemaType => {
    const { name, kind, node, directives, fields, inputFields } = type;
    return { name, kind, node, directives, fields, inputFields, possibleTypes: possibleTypesOf(type, types) };
  });
  const byName = new Map([...BUILT_IN, ...all.map((type) => [type.name, type] as const)]);
  return { get: (name) => byName.get(name), all, roots };
}

type Definition = SchemaType['node'] & {
  readonly directives?: readonly ConstDirectiveNode[];
  readonly fields?: readonly (FieldDefinitionNode | InputValueDefinitionNode)[];
  readonly interfaces?: readonly { readonly name: NameNode }[];
  readonly types?: readonly { readonly name: NameNode }[];
};

function addDefinition(types: Map<string, MutableType>, kind: SchemaType['kind'], definition: Definition): void {
  const name = definition.name.value;
  const type: MutableType = types.get(name) ?? {
    name,
    kind,
    node: definition,
    directives: [],
    fields: new Map(),
    inputFields: new Map(),
    interfaces: [],
    members: [],
  };
  types.set(name, type);
  type.directives.push(...(definition.directives ?? []));
  for (const field of definition.fields ?? []) {
    if (field.kind === Kind.FIELD_DEFINITION) type.fields.set(field.name.value, field);
    else type.inputFields.set(field.name.value, field);
  }
  type.interfaces.push(...(definition.interfaces ?? []).map((one) => one.name.value));
  type.members.push(...(definition.types ?? []).map((one) => one.name.value));
}

function possibleTypesOf({ name, kind, members }: MutableType, types: ReadonlyMap<string, MutableType>): readonly string[] {
  if (kind === 'union') return members;
  if (kind !== 'interface') return [name];
  return [...types.values()].filter((type) => type.kind === 'object' && type.interfaces.includes(name)).map((type) => type.name);
}

/** Whether a type is a list, disregarding non-null markers. */
export function isListType(type: TypeNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE ? isListType(type.type) : type.kind === Kind.LIST_TYPE;
}

/** Whether fields can be selected on a type. */
export function isComposite({ kind }: SchemaType): boolean {
  return kind === 'object' || kind === 'interface' || kind === 'union';
}
