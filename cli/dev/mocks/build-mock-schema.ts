import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  Source,
  type TypeDefinitionNode,
  type TypeExtensionNode,
  valueFromASTUntyped,
} from 'graphql';
import type { SdlFile } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { directiveNameIn, readFeatures } from '../../../gateway/directives/read-features.ts';

/** Executable schema of a subgraph, with the fields that a gateway queries. */
export interface MockSchema {
  readonly schema: GraphQLSchema;
  /** Names of the fields in each `@key` of an entity, by type. The first key comes first. */
  readonly keysOf: ReadonlyMap<string, readonly (readonly string[])[]>;
}

const FEDERATION = 'https://specs.apollo.dev/federation';

/** Fields and types that a subgraph adds to its schema (Apollo Federation, "Subgraph specification"). */
const SERVICE = 'type _Service { sdl: String! } scalar _Any extend type Query { _service: _Service! }';
const ENTITIES = 'extend type Query { _entities(representations: [_Any!]!): [_Entity]! }';
const SERVICE_TYPES = new Set(['_Service', '_Any', '_Entity']);
const SERVICE_FIELDS = new Set(['_service', '_entities']);

const EXTENSIONS = {
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
} as const;

type TypeNode = TypeDefinitionNode | TypeExtensionNode;

/**
 * Builds an executable schema from the SDL of a subgraph. Directives are dropped, and extensions are merged into types, because a subgraph
 * may extend types that it does not define.
 *
 * @throws GraphQLError if the SDL does not parse, or uses a type that it does not define
 */
export function buildMockSchema(files: readonly SdlFile[]): MockSchema {
  const definitions = files.flatMap(({ path, text }) => parse(new Source(text, path)).definitions);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  const keysOf = readKeys(document);
  const queryName = rootNameOf(definitions, OperationTypeNode.QUERY);
  const service = parse([SERVICE, ...entityParts(definitions, keysOf)].join('\n').replaceAll('type Query', `type ${queryName}`));
  const types = mergeTypes([...definitions, ...service.definitions], queryName);
  const roots = Object.values(OperationTypeNode).flatMap((operation) => {
    const name = rootNameOf(definitions, operation);
    return types.some((type) => type.name.value === name) ? [`${operation}: ${name}`] : [];
  });
  const schemaNode = parse(`schema { ${roots.join(' ')} }`).definitions;
  const schema = buildASTSchema({ kind: Kind.DOCUMENT, definitions: [...types, ...schemaNode] }, { assumeValidSDL: true });
  return { schema, keysOf };
}

/** Returns the SDL of the entities, of which a subgraph may have none. */
function entityParts(definitions: readonly DefinitionNode[], keysOf: MockSchema['keysOf']): readonly string[] {
  const objects = new Set(
    definitions.flatMap((node) => (isType(node) && kindOf(node) === Kind.OBJECT_TYPE_DEFINITION ? [node.name.value] : [])),
  );
  const entities = [...keysOf.keys()].filter((name) => objects.has(name));
  return entities.length === 0 ? [] : [`union _Entity = ${entities.join(' | ')}`, ENTITIES];
}

function rootNameOf(definitions: readonly DefinitionNode[], operation: OperationTypeNode): string {
  for (const node of definitions) {
    if (node.kind !== Kind.SCHEMA_DEFINITION && node.kind !== Kind.SCHEMA_EXTENSION) continue;
    const root = node.operationTypes?.find((type) => type.operation === operation);
    if (root !== undefined) return root.type.name.value;
  }
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
}

function readKeys(document: DocumentNode): MockSchema['keysOf'] {
  const feature = readFeatures(document, 'link').find(({ identity }) => identity === FEDERATION);
  const directive = feature === undefined ? 'key' : directiveNameIn(feature, 'key');
  const keysOf = new Map<string, (readonly string[])[]>();
  for (const node of document.definitions) {
    if (!isType(node)) continue;
    const keys = (node.directives ?? []).filter(({ name }) => name.value === directive).flatMap(keyFieldsOf);
    if (keys.length > 0) keysOf.set(node.name.value, [...(keysOf.get(node.name.value) ?? []), ...keys]);
  }
  return keysOf;
}

/** Returns the names of the top-level fields of a key; none for a key that does not parse, which composition reports. */
function keyFieldsOf(directive: ConstDirectiveNode): readonly (readonly string[])[] {
  const value = directive.arguments?.find(({ name }) => name.value === 'fields')?.value;
  const fields: unknown = value && valueFromASTUntyped(value);
  if (typeof fields !== 'string') return [];
  try {
    const [operation] = parse(`{ ${fields} }`, { noLocation: true }).definitions;
    return operation?.kind === Kind.OPERATION_DEFINITION ? [fieldNamesIn(operation.selectionSet)] : [];
  } catch {
    return [];
  }
}

function fieldNamesIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
}

function isType(node: DefinitionNode): node is TypeNode {
  return 'name' in node && node.kind.includes('Type') && node.kind !== Kind.DIRECTIVE_DEFINITION;
}

function kindOf(node: TypeNode): TypeDefinitionNode['kind'] {
  return node.kind in EXTENSIONS ? EXTENSIONS[node.kind as keyof typeof EXTENSIONS] : (node.kind as TypeDefinitionNode['kind']);
}

/** Merges all definitions and extensions of each type, without directives. */
function mergeTypes(definitions: readonly DefinitionNode[], queryName: string): readonly TypeDefinitionNode[] {
  const merged = new Map<string, TypeNode[]>();
  for (const node of definitions) {
    if (!isType(node)) continue;
    const name = node.name.value;
    // Introspected SDL may already contain the types of the subgraph specification.
    merged.set(name, SERVICE_TYPES.has(name) ? [node] : [...(merged.get(name) ?? []), node]);
  }
  return [...merged.values()].map((nodes) => mergeType(nodes, queryName));
}

function mergeType(nodes: readonly TypeNode[], queryName: string): TypeDefinitionNode {
  const [first] = nodes;
  if (first === undefined) throw new Error('A type has at least one definition.');
  const isQuery = first.name.value === queryName;
  const merged = {
    kind: kindOf(first),
    name: first.name,
    interfaces: distinct(nodes.flatMap((node) => ('interfaces' in node ? (node.interfaces ?? []) : []))),
    types: distinct(nodes.flatMap((node) => ('types' in node ? (node.types ?? []) : []))),
    values: distinct(nodes.flatMap((node) => ('values' in node ? (node.values ?? []) : []))),
    fields: distinct(
      nodes.flatMap((node) => ('fields' in node ? [...(node.fields ?? [])] : [])),
      (name) => isQuery && SERVICE_FIELDS.has(name),
    ),
  };
  return merged as TypeDefinitionNode;
}

/** Returns the nodes with distinct names. @param isReplaced whether the last node of a name is used instead of the first one */
function distinct<Node extends { readonly name: { readonly value: string } }>(
  nodes: readonly Node[],
  isReplaced: (name: string) => boolean = () => false,
): readonly Node[] {
  const byName = new Map<string, Node>();
  for (const node of nodes) if (!byName.has(node.name.value) || isReplaced(node.name.value)) byName.set(node.name.value, node);
  return [...byName.values()];
}
