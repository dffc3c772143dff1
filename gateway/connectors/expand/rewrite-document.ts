import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  Kind,
  type TypeDefinitionNode,
} from 'graphql';
import { argumentsOf, directivesOf } from '../../directives/directive-locations.ts';
import type { VirtualGraph } from './create-virtual-graph.ts';
import { createDirective, booleanLiteral, enumLiteral, isOfGraph, type JoinNames, stringLiteral, withArgument } from './join-directives.ts';
import type { ResolvedField } from './resolve-fields.ts';
import type { SubgraphTypes } from './subgraph-types.ts';

/** A virtual subgraph with its value in the enum of graphs. */
export interface NamedGraph extends VirtualGraph {
  readonly value: string;
}

/** A subgraph that virtual subgraphs replace. */
export interface ReplacedGraph {
  /** Value in the enum of graphs. */
  readonly value: string;
  readonly types: SubgraphTypes;
  /** Virtual subgraphs; at least one. The first one receives elements that no connector uses, so that they remain in the schema. */
  readonly virtual: readonly [NamedGraph, ...NamedGraph[]];
}

/** Directives of the connect specification, which have no effect in an expanded supergraph. */
const CONNECT_DIRECTIVES: ReadonlySet<unknown> = new Set(['connect', 'source']);

/** Identity of the connect specification, followed by a version. */
const CONNECT = 'https://specs.apollo.dev/connect/';

/** Arguments of `@join__field` that apply to a field regardless of what a connector maps. */
const INHERITED_ARGUMENTS: ReadonlySet<string> = new Set(['type', 'override', 'overrideLabel', 'usedOverridden', 'contextArguments']);

/** Replaces subgraphs with their virtual subgraphs in all join directives. */
export function rewriteDocument(document: DocumentNode, names: JoinNames, replaced: readonly ReplacedGraph[]): DocumentNode {
  const definitions = document.definitions.map((definition) => {
    return replaced.reduce((node, graph) => rewriteDefinition(node, names, graph), definition);
  });
  return { ...document, definitions };
}

function rewriteDefinition(definition: DefinitionNode, names: JoinNames, graph: ReplacedGraph): DefinitionNode {
  if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
    const directives = definition.directives?.filter((directive) => !isConnectLink(directive));
    return { ...definition, directives: distribute({ type: '', directives }, names, graph, graph.virtual) };
  }
  if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
    return definition.name.value === names.graphs ? rewriteGraphs(definition, names, graph) : rewriteEnum(definition, names, graph);
  }
  if (!isTypeDefinition(definition) || !isJoined(definition, names, graph)) return definition;
  const { kind } = definition;
  const type = definition.name.value;
  const isOther = kind === Kind.SCALAR_TYPE_DEFINITION || kind === Kind.INPUT_OBJECT_TYPE_DEFINITION;
  const present = isOther ? graphsWithOther(graph, type) : graphsWithType(graph, type);
  const directives = distribute({ type, directives: definition.directives }, names, graph, present);
  if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
    const all = directivesOf(definition, names.type).map((directive) => String(argumentsOf(directive)['graph']));
    const rewriting = { names, graph, present, type, all: new Set(all) };
    return { ...definition, directives, fields: (definition.fields ?? []).map((field) => rewriteField(field, rewriting)) };
  }
  if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
    const fields = definition.fields?.map((field) => {
      return { ...field, directives: distribute({ type, directives: field.directives }, names, graph, present) };
    });
    return { ...definition, directives, ...(fields ? { fields } : {}) };
  }
  return { ...definition, directives };
}

/** Whether a directive links the connect specification. Other gateways reject a supergraph that requires a specification they do not know. */
function isConnectLink(directive: ConstDirectiveNode): boolean {
  const { url } = argumentsOf(directive);
  return directive.name.value === 'link' && typeof url === 'string' && url.startsWith(CONNECT);
}

function isTypeDefinition(definition: DefinitionNode): definition is TypeDefinitionNode {
  return definition.kind.endsWith('TypeDefinition');
}

function isJoined(
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  names: JoinNames,
  { value }: ReplacedGraph,
): boolean {
  return directivesOf(node, names.type).some((directive) => isOfGraph(directive, value));
}

function graphsWithType({ virtual }: ReplacedGraph, type: string): readonly NamedGraph[] {
  const present = virtual.filter(({ types }) => types.has(type));
  return present.length > 0 ? present : virtual.slice(0, 1);
}

function graphsWithOther({ virtual }: ReplacedGraph, type: string): readonly NamedGraph[] {
  const present = virtual.filter(({ others }) => others.has(type));
  return present.length > 0 ? present : virtual.slice(0, 1);
}

/** Replaces the value of the subgraph with those of its virtual subgraphs, which have its URL. */
function rewriteGraphs(definition: EnumTypeDefinitionNode, names: JoinNames, { value, virtual }: ReplacedGraph): EnumTypeDefinitionNode {
  const values = definition.values?.flatMap((node): readonly EnumValueDefinitionNode[] => {
    if (node.name.value !== value) return [node];
    return virtual.map((graph) => {
      const directives = node.directives?.map((directive) =>
        directive.name.value === names.graph ? withArgument(directive, 'name', stringLiteral(graph.virtual.name)) : directive,
      );
      return { ...node, name: { kind: Kind.NAME, value: graph.value }, ...(directives ? { directives } : {}) };
    });
  });
  return { ...definition, ...(values ? { values } : {}) };
}

function rewriteEnum(definition: EnumTypeDefinitionNode, names: JoinNames, graph: ReplacedGraph): EnumTypeDefinitionNode {
  if (!isJoined(definition, names, graph)) return definition;
  const present = graphsWithOther(graph, definition.name.value);
  const values = definition.values?.map((node) => ({
    ...node,
    directives: distribute({ type: definition.name.value, directives: node.directives }, names, graph, present),
  }));
  return {
    ...definition,
    directives: distribute({ type: definition.name.value, directives: definition.directives }, names, graph, present),
    ...(values ? { values } : {}),
  };
}

/** Repeats the join directives of the subgraph for the virtual subgraphs that have the element. */
function distribute(
  { type, directives }: { readonly type: string; readonly directives: readonly ConstDirectiveNode[] | undefined },
  names: JoinNames,
  graph: ReplacedGraph,
  present: readonly NamedGraph[],
): readonly ConstDirectiveNode[] {
  const joined = (directives ?? []).filter((directive) => directive.name.value === names.type && isOfGraph(directive, graph.value));
  return (directives ?? []).flatMap((directive): readonly ConstDirectiveNode[] => {
    if (directive.name.value === names.directive) return distributeCarrier(directive, graph, present);
    if (!isOfGraph(directive, graph.value)) return [directive];
    if (directive.name.value !== names.type) return present.map(({ value }) => withArgument(directive, 'graph', enumLiteral(value)));
    return directive === joined[0] ? present.flatMap((virtual) => joinType(type, names, virtual, joined)) : [];
  });
}

/**
 * Creates the uses of `@join__type` for a virtual subgraph: its own key, and the other keys of the parent, by which it references objects
 * but is not entered.
 */
function joinType(
  type: string,
  names: JoinNames,
  { value, types }: NamedGraph,
  joined: readonly ConstDirectiveNode[],
): readonly ConstDirectiveNode[] {
  const { key } = types.get(type) ?? {};
  const isInterfaceObject = joined.some((directive) => argumentsOf(directive)['isInterfaceObject'] === true);
  const create = (text: string | undefined, isResolvable: boolean): ConstDirectiveNode => {
    return createDirective(names.type, {
      graph: enumLiteral(value),
      key: text === undefined ? undefined : stringLiteral(text),
      resolvable: isResolvable ? undefined : booleanLiteral(false),
      isInterfaceObject: isInterfaceObject ? booleanLiteral(true) : undefined,
    });
  };
  const references = joined.flatMap((directive) => {
    const { key: text } = argumentsOf(directive);
    return typeof text === 'string' && text !== key ? [create(text, false)] : [];
  });
  const own = key === undefined && references.length > 0 ? [] : [create(key, true)];
  return [...own, ...references];
}

/** Replaces the subgraph in the list of `@join__directive`. Directives of connectors are removed. */
function distributeCarrier(
  directive: ConstDirectiveNode,
  { value }: ReplacedGraph,
  present: readonly NamedGraph[],
): readonly ConstDirectiveNode[] {
  const { graphs, name, args } = argumentsOf(directive);
  if (!Array.isArray(graphs) || !graphs.includes(value)) return [directive];
  const { url } = (args ?? {}) as Readonly<Record<string, unknown>>;
  const isOfConnect = CONNECT_DIRECTIVES.has(name) || (name === 'link' && typeof url === 'string' && url.startsWith(CONNECT));
  const others = (graphs as readonly unknown[]).filter((other) => other !== value).map(String);
  const all = isOfConnect ? others : [...others, ...present.map((graph) => graph.value)];
  if (all.length === 0) return [];
  return [withArgument(directive, 'graphs', { kind: Kind.LIST, values: all.map(enumLiteral) })];
}

interface FieldRewriting {
  readonly names: JoinNames;
  readonly graph: ReplacedGraph;
  readonly type: string;
  /** Virtual subgraphs with the type. */
  readonly present: readonly NamedGraph[];
  /** Values of all subgraphs with the type. */
  readonly all: ReadonlySet<string>;
}

/** Joins a field to the virtual subgraphs that resolve it. */
function rewriteField(field: FieldDefinitionNode, rewriting: FieldRewriting): FieldDefinitionNode {
  const { names, graph, type, present, all } = rewriting;
  const directives = field.directives ?? [];
  const joined = directivesOf(field, names.field);
  const own = joined.find((directive) => isOfGraph(directive, graph.value));
  const others = directives.filter((directive) => directive !== own);
  const name = field.name.value;
  const having = present.flatMap((virtual) => {
    const resolved = virtual.types.get(type)?.fields.get(name);
    return resolved === undefined ? [] : [{ virtual, resolved }];
  });
  const carriers = distribute(
    { type, directives: others },
    names,
    graph,
    having.length > 0 ? having.map(({ virtual }) => virtual) : present,
  );
  // Without `@join__field`, the field belongs to all subgraphs that have the type.
  if (joined.length > 0 && own === undefined) return { ...field, directives: carriers };
  const ofOthers = joined.length > 0 ? [] : [...all].filter((value) => value !== graph.value);
  const added = [
    ...ofOthers.map((value) => createDirective(names.field, { graph: enumLiteral(value) })),
    ...having.map(({ virtual, resolved }) => joinField(names, virtual.value, resolved, own)),
  ];
  // A field that no connector maps must not seem to belong to all subgraphs.
  const isJoinedElsewhere = ofOthers.length > 0 || joined.length > (own === undefined ? 0 : 1);
  if (added.length === 0 && !isJoinedElsewhere)
    added.push(joinField(names, (present[0] ?? graph.virtual[0]).value, { isExternal: true }, own));
  return { ...field, directives: [...carriers, ...added] };
}

function joinField(
  names: JoinNames,
  value: string,
  { isExternal, requires, provides }: ResolvedField,
  own: ConstDirectiveNode | undefined,
): ConstDirectiveNode {
  const directive = createDirective(names.field, {
    graph: enumLiteral(value),
    requires: requires === undefined ? undefined : stringLiteral(requires),
    provides: provides === undefined ? undefined : stringLiteral(provides),
    external: isExternal ? booleanLiteral(true) : undefined,
  });
  const inherited = own?.arguments?.filter((argument) => INHERITED_ARGUMENTS.has(argument.name.value)) ?? [];
  return { ...directive, arguments: [...(directive.arguments ?? []), ...inherited] };
}
