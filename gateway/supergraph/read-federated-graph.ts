import {
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  parse,
  parseType,
} from 'graphql';
import { runSteps } from '../platform/run-steps.ts';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';
import { parseSdlInSteps } from './parse-sdl.ts';
import { type LinkedFeature, directiveNameIn, joinFeatureIn, readFeatures } from '../directives/read-features.ts';
import { type CompositeDefinition, createPossibleTypeIndex, isCompositeDefinition, type PossibleTypeIndex } from './possible-types.ts';
import { readSubgraphs } from './read-subgraphs.ts';
import type {
  FederatedContextArgument,
  FederatedField,
  FederatedGraph,
  FederatedType,
  FieldInSubgraph,
  TypeInSubgraph,
} from './federated-graph.ts';

/** Data about the whole supergraph that is needed to read a type. */
interface Definitions {
  /** Maps values of `join__Graph` to names of subgraphs. */
  readonly names: ReadonlyMap<string, string>;
  readonly possible: PossibleTypeIndex;
  /** Definitions that set a context. */
  readonly openers: readonly CompositeDefinition[];
  readonly directives: DirectiveNames;
  /** Parses a field set of `@key`, `@requires` or `@provides`, with or without enclosing braces. Equal texts share one result. */
  readonly fieldSet: (text: string) => SelectionSetNode;
}

/** Names of the directives in this supergraph, which a link may have renamed. */
type DirectiveNames = Readonly<Record<'type' | 'field' | 'implements' | 'unionMember' | 'owner' | 'inaccessible' | 'context', string>>;

/**
 * Reads the join directives of a supergraph. The supergraph must have been checked before: missing data is ignored.
 *
 * @param sdl supergraph written by composition, with any version of the join specification
 * @throws GraphQLError when a field set in it does not parse
 */
export function readFederatedGraph(sdl: string | DocumentNode): FederatedGraph {
  return runSteps(readFederatedGraphInSteps(typeof sdl === 'string' ? runSteps(parseSdlInSteps(sdl)) : sdl));
}

/** Reads the join directives like `readFederatedGraph`, in steps of at most one type or `FIELDS_IN_STEP` fields. */
export function* readFederatedGraphInSteps(document: DocumentNode): Generator<undefined, FederatedGraph, undefined> {
  const features = readFeatures(document);
  const join = joinFeatureIn(features);
  if (join === undefined) throw new GraphQLError('The schema does not link the join specification.');
  const roots = readRoots(document);
  const composites = document.definitions.filter(isCompositeDefinition);
  const names = new Map([...readSubgraphs(document, join)].map(([value, { name }]) => [value, name]));
  const directives = directiveNames(features, join);
  const openers = composites.filter((definition) => directivesOf(definition, directives.context).length > 0);
  const definitions = {
    names,
    possible: createPossibleTypeIndex(composites, directives),
    openers,
    directives,
    fieldSet: createFieldSets(),
  };
  const types = new Map<string, FederatedType>();
  const fieldNames = new Set<string>();
  for (const definition of composites) {
    const type = yield* readType(definition, definitions);
    types.set(type.name, type);
    for (const name of type.fields.keys()) fieldNames.add(name);
    yield;
  }
  return { subgraphs: [...names.values()], types, roots, fieldNames };
}

function directiveNames(features: readonly LinkedFeature[], join: LinkedFeature): DirectiveNames {
  const nameOf = (directive: string): string => {
    const feature = features.find(({ identity }) => identity === `https://specs.apollo.dev/${directive}`);
    return feature === undefined ? directive : directiveNameIn(feature, directive);
  };
  return {
    type: directiveNameIn(join, 'type'),
    field: directiveNameIn(join, 'field'),
    implements: directiveNameIn(join, 'implements'),
    unionMember: directiveNameIn(join, 'unionMember'),
    owner: directiveNameIn(join, 'owner'),
    inaccessible: nameOf('inaccessible'),
    context: nameOf('context'),
  };
}

function readRoots({ definitions }: DocumentNode): FederatedGraph['roots'] {
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION);
  const named = new Set(definitions.flatMap((definition) => (isCompositeDefinition(definition) ? [definition.name.value] : [])));
  const roots: Partial<Record<OperationDefinitionNode['operation'], string>> = {};
  for (const { operation, type } of schema?.operationTypes ?? []) roots[operation] = type.name.value;
  if (schema === undefined) {
    if (named.has('Query')) roots.query = 'Query';
    if (named.has('Mutation')) roots.mutation = 'Mutation';
    if (named.has('Subscription')) roots.subscription = 'Subscription';
  }
  return roots;
}

/** Maximum number of fields that are read in one step. A root type can have thousands. */
const FIELDS_IN_STEP = 64;

function* readType(definition: CompositeDefinition, all: Definitions): Generator<undefined, FederatedType, undefined> {
  const name = definition.name.value;
  const possible = all.possible.anywhere(definition);
  const subgraphs = readTypeInSubgraphs(definition, all);
  const isUnion = definition.kind === Kind.UNION_TYPE_DEFINITION;
  const fields = new Map<string, FederatedField>();
  for (const [index, node] of (isUnion ? [] : (definition.fields ?? [])).entries()) {
    const field = readField(node, definition, subgraphs, all);
    fields.set(field.name, field);
    if (index % FIELDS_IN_STEP === FIELDS_IN_STEP - 1) yield;
  }
  return {
    name,
    kind: definition.kind === Kind.OBJECT_TYPE_DEFINITION ? 'object' : isUnion ? 'union' : 'interface',
    fields,
    possibleTypes: new Set(possible.map((type) => type.name.value)),
    publicTypes: new Set(
      possible.filter((type) => directivesOf(type, all.directives.inaccessible).length === 0).map((type) => type.name.value),
    ),
    interfaces: isUnion ? [] : (definition.interfaces ?? []).map((type) => type.name.value),
    subgraphs,
    contexts: contextsOf(definition, all),
  };
}

/** Returns the contexts that a type sets itself, and those of its interfaces and unions. */
function contextsOf(definition: CompositeDefinition, { openers, directives }: Definitions): readonly string[] {
  const opening = openers.filter((opener) => opener === definition || isPartOf(definition, opener));
  const applications = opening.flatMap((opener) => directivesOf(opener, directives.context));
  return [...new Set(applications.map((directive) => String(argumentsOf(directive)['name'])))];
}

/** Whether each value of a type also belongs to an interface or a union. */
function isPartOf(definition: CompositeDefinition, whole: CompositeDefinition): boolean {
  const isNamed = (names: readonly NamedTypeNode[] = [], { name }: CompositeDefinition): boolean => {
    return names.some((named) => named.name.value === name.value);
  };
  if (whole.kind === Kind.UNION_TYPE_DEFINITION) return isNamed(whole.types, definition);
  return definition.kind !== Kind.UNION_TYPE_DEFINITION && isNamed(definition.interfaces, whole);
}

function readTypeInSubgraphs(definition: CompositeDefinition, all: Definitions): ReadonlyMap<string, TypeInSubgraph> {
  const found = new Map<string, { keys: SelectionSetNode[]; isInterfaceObject: boolean; possibleTypes: ReadonlySet<string> }>();
  for (const directive of directivesOf(definition, all.directives.type)) {
    const { graph, key, resolvable, isInterfaceObject } = argumentsOf(directive);
    const subgraph = all.names.get(String(graph));
    if (subgraph === undefined) continue;
    let entry = found.get(subgraph);
    if (entry === undefined) {
      entry = {
        keys: [],
        isInterfaceObject: isInterfaceObject === true,
        possibleTypes: all.possible.in(definition, String(graph)),
      };
      found.set(subgraph, entry);
    }
    if (typeof key === 'string' && resolvable !== false) entry.keys.push(all.fieldSet(key));
  }
  return found;
}

function readField(
  definition: FieldDefinitionNode,
  owner: CompositeDefinition,
  ofType: ReadonlyMap<string, TypeInSubgraph>,
  { names, directives, fieldSet }: Definitions,
): FederatedField {
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
  return {
    name,
    type: plain.type,
    namedType: plain.namedType,
    ...(definition.arguments?.some(isRequired) === true ? { hasRequiredArguments: true } : {}),
    subgraphs,
  };
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
  fieldSet: Definitions['fieldSet'],
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

function toContextArgument(raw: unknown, fieldSet: Definitions['fieldSet']): FederatedContextArgument {
  const { name, type, context, selection } = raw as Readonly<Record<string, unknown>>;
  return { name: String(name), type: String(type), context: String(context), selection: fieldSet(String(selection)) };
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
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
