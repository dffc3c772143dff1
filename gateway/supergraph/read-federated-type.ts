import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  parse,
  parseType,
} from 'graphql';
import { namedTypeOf } from '../directives/named-type-of.ts';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';
import type {
  FederatedContextArgument,
  FederatedField,
  FederatedFields,
  FederatedType,
  FieldInSubgraph,
  TypeInSubgraph,
} from './federated-graph.ts';
import type { GraphOutline } from './graph-outline.ts';
import { type CompositeDefinition, createPossibleTypeIndex, type PossibleTypeIndex } from './possible-types.ts';

/** Reads the types of a supergraph one by one. */
export interface TypeReader {
  /**
   * Reads a type.
   *
   * @param fields fields of the type, which `readField` reads
   */
  readType(definition: CompositeDefinition, subgraphs: FederatedType['subgraphs'], fields: FederatedFields): FederatedType;
  /** Reads the definitions of a type by subgraph. */
  readSubgraphs(definition: CompositeDefinition): FederatedType['subgraphs'];
  /** Reads a field of a type. @param subgraphs definitions of the type by subgraph */
  readField(node: FieldDefinitionNode, owner: CompositeDefinition, subgraphs: FederatedType['subgraphs']): FederatedField;
}

interface Scope extends GraphOutline {
  readonly known: KnownDefinitions | undefined;
  readonly possibleTypes: PossibleTypeIndex;
  /** Parses a field set of `@key`, `@requires` or `@provides`, with or without enclosing braces. Equal texts share one result. */
  readonly fieldSet: (text: string) => SelectionSetNode;
}

/**
 * Creates a reader. The supergraph must have been checked before: missing data is ignored.
 *
 * The functions of the reader throw GraphQLError when a field set does not parse.
 *
 * @param known receives the definitions that fields can share, of a document in which equal elements have the same nodes
 * @defaultValue each field has separate definitions
 */
export function createTypeReader(outline: GraphOutline, known?: KnownDefinitions): TypeReader {
  const scope: Scope = { ...outline, known, possibleTypes: createPossibleTypeIndex(outline.possible), fieldSet: createFieldSets() };
  return {
    readType: (definition, subgraphs, fields) => createType(definition, { subgraphs, fields }, scope),
    readSubgraphs: (definition) => readTypeInSubgraphs(definition, scope),
    readField: (node, owner, subgraphs) => readField(node, owner, subgraphs, scope),
  };
}

function createType(
  { kind, name: { value: name }, ...rest }: CompositeDefinition,
  parts: Pick<FederatedType, 'subgraphs' | 'fields'>,
  { possibleTypes, contexts }: Scope,
): FederatedType {
  return {
    name,
    kind: kind === Kind.OBJECT_TYPE_DEFINITION ? 'object' : kind === Kind.UNION_TYPE_DEFINITION ? 'union' : 'interface',
    fields: parts.fields,
    possibleTypes: possibleTypes.anywhere(name),
    publicTypes: possibleTypes.visible(name),
    interfaces: 'interfaces' in rest ? (rest.interfaces ?? []).map((type) => type.name.value) : [],
    subgraphs: parts.subgraphs,
    contexts: contexts.get(name) ?? NO_CONTEXTS,
  };
}

const NO_CONTEXTS: readonly string[] = [];

function readTypeInSubgraphs(definition: CompositeDefinition, scope: Scope): ReadonlyMap<string, TypeInSubgraph> {
  const found = new Map<string, { keys: SelectionSetNode[]; isInterfaceObject: boolean; possibleTypes: ReadonlySet<string> }>();
  for (const directive of directivesOf(definition, scope.directives.type)) {
    const { graph, key, resolvable, isInterfaceObject } = argumentsOf(directive);
    const subgraph = scope.subgraphs.get(String(graph));
    if (subgraph === undefined) continue;
    let entry = found.get(subgraph);
    if (entry === undefined) {
      entry = {
        keys: [],
        isInterfaceObject: isInterfaceObject === true,
        possibleTypes: scope.possibleTypes.in(definition.name.value, String(graph)),
      };
      found.set(subgraph, entry);
    }
    if (typeof key === 'string' && resolvable !== false) entry.keys.push(scope.fieldSet(key));
  }
  return found;
}

function readField(
  definition: FieldDefinitionNode,
  owner: CompositeDefinition,
  ofType: ReadonlyMap<string, TypeInSubgraph>,
  scope: Scope,
): FederatedField {
  const { plain, subgraphs } = readSharedDefinitions(definition, owner, ofType, scope);
  return {
    name: definition.name.value,
    type: plain.type,
    namedType: plain.namedType,
    ...(definition.arguments?.some(isRequired) === true ? { hasRequiredArguments: true } : {}),
    subgraphs,
  };
}

/** Definitions of a field by subgraph. */
interface FieldDefinitions {
  /** Definition without special properties. */
  readonly plain: FieldInSubgraph;
  readonly subgraphs: ReadonlyMap<string, FieldInSubgraph>;
}

/** Reads the definitions of a field. Fields with the same type share the result if everything else that it depends on is shared. */
function readSharedDefinitions(
  definition: FieldDefinitionNode,
  owner: CompositeDefinition,
  ofType: ReadonlyMap<string, TypeInSubgraph>,
  scope: Scope,
): FieldDefinitions {
  const { directives = [], type } = definition;
  const [only] = ofType.size === 1 ? ofType.keys() : [];
  let source: SharedSource = only ?? ofType;
  if (directivesOf(definition, scope.directives.field).length > 0) {
    // Join v0.1 adds subgraphs whose keys contain the name of the field.
    if (directivesOf(owner, scope.directives.owner).length > 0) return readDefinitions(definition, owner, ofType, scope);
    source = directives;
  }
  const known = scope.known?.get(source);
  let found = known?.get(type);
  if (found === undefined) {
    found = readDefinitions(definition, owner, ofType, scope);
    if (known === undefined) scope.known?.set(source, new Map([[type, found]]));
    else known.set(type, found);
  }
  return found;
}

/**
 * Source of the subgraphs of a field: its directives or, without directives of composition, the definitions of its type by subgraph, or the
 * name of the only subgraph of its type.
 */
type SharedSource = readonly ConstDirectiveNode[] | FederatedType['subgraphs'] | string;

/** Definitions of fields, by their source and the node of their type. */
export type KnownDefinitions = Map<SharedSource, Map<TypeNode, FieldDefinitions>>;

function readDefinitions(
  definition: FieldDefinitionNode,
  owner: CompositeDefinition,
  ofType: ReadonlyMap<string, TypeInSubgraph>,
  { subgraphs: names, directives, fieldSet }: Scope,
): FieldDefinitions {
  const name = definition.name.value;
  const joined = directivesOf(definition, directives.field);
  const subgraphs = new Map<string, FieldInSubgraph>();
  // Most definitions of a field in a subgraph have no special properties. They share one object.
  const plain = readFieldInSubgraph(definition, {}, fieldSet);
  for (const directive of joined) {
    const given = argumentsOf(directive);
    const subgraph = names.get(String(given['graph']));
    const isPlain = directive.arguments?.length === 1;
    if (subgraph !== undefined) subgraphs.set(subgraph, isPlain ? plain : readFieldInSubgraph(definition, given, fieldSet));
  }
  if (joined.length === 0) {
    // Without `@join__field`, the field belongs to all subgraphs that have the type. If `@join__type` is also missing, it belongs to all
    // subgraphs.
    for (const subgraph of ofType.size > 0 ? ofType.keys() : names.values()) subgraphs.set(subgraph, plain);
  } else if (directivesOf(owner, directives.owner).length > 0) {
    // Join v0.1 lists only the owner of a field. Another subgraph has the field if one of its keys contains it.
    for (const [subgraph, { keys }] of ofType) {
      if (subgraphs.has(subgraph) || !keys.some((key) => isNamedIn(key, name))) continue;
      subgraphs.set(subgraph, plain);
    }
  }
  return { plain, subgraphs };
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
}

function isNamedIn({ selections }: SelectionSetNode, field: string): boolean {
  return selections.some((node) => node.kind === Kind.FIELD && node.name.value === field);
}

/** @param given arguments of `@join__field` */
function readFieldInSubgraph(
  definition: FieldDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  fieldSet: Scope['fieldSet'],
): FieldInSubgraph {
  const { type, requires, provides, external, usedOverridden, override, overrideLabel, contextArguments } = given;
  const node = typeof type === 'string' ? parseType(type, { noLocation: true }) : definition.type;
  const hasLabel = typeof overrideLabel === 'string';
  return {
    type: printType(node),
    namedType: namedTypeOf(node),
    isExternal: external === true || (usedOverridden === true && !hasLabel),
    ...(typeof requires === 'string' ? { requires: fieldSet(requires) } : {}),
    ...(typeof provides === 'string' ? { provides: fieldSet(provides) } : {}),
    ...(hasLabel ? { label: { name: overrideLabel, isOn: typeof override === 'string' } } : {}),
    contextArguments: Array.isArray(contextArguments)
      ? contextArguments.map((raw) => toContextArgument(raw, fieldSet))
      : NO_CONTEXT_ARGUMENTS,
  };
}

const NO_CONTEXT_ARGUMENTS: readonly FederatedContextArgument[] = [];

/** Prints a type. The printer of graphql-js visits every node and takes ten times as long. */
function printType(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${printType(type.type)}]` : `${printType(type.type)}!`;
}

function toContextArgument(raw: unknown, fieldSet: Scope['fieldSet']): FederatedContextArgument {
  const { name, type, context, selection } = raw as Readonly<Record<string, unknown>>;
  return { name: String(name), type: String(type), context: String(context), selection: fieldSet(String(selection)) };
}

function createFieldSets(): (text: string) => SelectionSetNode {
  const known = new Map<string, SelectionSetNode>();
  return (text) => {
    let set = known.get(text);
    if (set === undefined) {
      const [definition] = parse(text.trim().startsWith('{') ? text : `{${text}}`, { noLocation: true }).definitions;
      known.set(text, (set = (definition as OperationDefinitionNode).selectionSet));
    }
    return set;
  };
}
