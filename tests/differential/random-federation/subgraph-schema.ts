import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { FieldFacts, SubgraphFacts, TypeFacts } from './read-facts.ts';
import { type Inputs, type Run, type World, hasFragments } from './world.ts';
import type { WorldNode, WorldValue } from './world-values.ts';

/** An object as a subgraph passes it on. */
interface SubgraphObject {
  readonly __typename: string;
  readonly node: WorldNode;
  /** Representation from the gateway, if the object was found by one. */
  readonly representation?: Inputs;
  /** Fields of another subgraph that this subgraph may return here. */
  readonly provided?: SelectionSetNode | undefined;
}

/** State that all resolvers of a run share. */
export interface SubgraphContext {
  readonly world: World;
  readonly run: Run;
}

type Resolver = GraphQLFieldResolver<SubgraphObject, SubgraphContext, Record<string, unknown>>;

/** Builds the schema of a subgraph, still without resolvers. */
export function buildBareSchema({ document }: SubgraphFacts): GraphQLSchema {
  return buildSubgraphSchema({ typeDefs: document });
}

/**
 * Resolves a subgraph from the world. The subgraph knows only what its SDL allows: it fails when it is queried for a field of another
 * subgraph, or gets an incomplete reference, and it computes with the values it received, correct or not.
 */
export function addResolvers(schema: GraphQLSchema, facts: SubgraphFacts, others: readonly SubgraphFacts[]): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) type.resolveType = (value: unknown) => (value as SubgraphObject).__typename;
    const known = facts.types.get(type.name);
    if (!isObjectType(type) || known === undefined) continue;
    for (const field of Object.values(type.getFields())) {
      const found = known.fields.get(field.name);
      if (found !== undefined) field.resolve = asResolve(fieldResolver(facts, known, found, takenOver(others, facts.name, known, found)));
    }
  }
  const entities = schema.getQueryType()?.getFields()['_entities'];
  if (entities !== undefined) {
    entities.resolve = (_root: unknown, { representations }: { representations: readonly Inputs[] }, context: SubgraphContext) =>
      representations.map((representation) => settle(() => findEntity(facts, representation, context)));
  }
}

function asResolve(resolver: Resolver): GraphQLFieldResolver<unknown, unknown> {
  const untyped: unknown = resolver;
  return untyped as GraphQLFieldResolver<unknown, unknown>;
}

/** Returns whether another subgraph resolves the field: always, or under a label. */
export function takenOver(others: readonly SubgraphFacts[], name: string, type: TypeFacts, field: FieldFacts): (run: Run) => boolean {
  const takers = others
    .map(({ types }) => types.get(type.name)?.fields.get(field.name)?.overrides)
    .filter((overrides) => overrides?.from === name);
  const own = field.overrides?.label;
  return ({ labels }) =>
    takers.some((overrides) => overrides?.label === undefined || labels.has(overrides.label)) || (own !== undefined && !labels.has(own));
}

function fieldResolver(facts: SubgraphFacts, type: TypeFacts, field: FieldFacts, isTakenOver: (run: Run) => boolean): Resolver {
  return (parent, args, context) => {
    const { world, run } = context;
    const node: WorldNode = parent?.node ?? { type: type.name, id: '' };
    if (node.type === 'Mutation') run.mutations += 1;
    const granted = grantedSelection(world, node, parent?.provided, field.name);
    if (field.isExternal && granted === undefined) throw new Error(`${facts.name} does not resolve ${type.name}.${field.name}.`);
    // The subgraph can still return a field that it provides here.
    if (granted === undefined && isTakenOver(run)) throw new Error(`${facts.name} no longer resolves ${type.name}.${field.name}.`);
    const known = world.fields.find(node.type, field.name);
    if (known === undefined) throw new Error(`No subgraph resolves ${node.type}.${field.name}.`);
    const required = known.requires && field.requires && readInputs({ world, run, parent }, field.requires, parent.representation);
    const value = world.valueOf(node, known, { args, required }, run);
    return toSubgraph({ facts, world }, value, together([granted?.selection, field.provides]));
  };
}

/** Returns the entry of a provided selection for a field. The nested selection is absent at leaves. */
function grantedSelection(
  world: World,
  node: WorldNode,
  provided: SelectionSetNode | undefined,
  name: string,
): { readonly selection: SelectionSetNode | undefined } | undefined {
  const found = (provided?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === name ? [{ selection: selection.selectionSet }] : [];
    if (selection.kind !== Kind.INLINE_FRAGMENT) return [];
    const condition = selection.typeCondition?.name.value;
    if (condition !== undefined && !world.fields.possibleTypes(condition).includes(node.type)) return [];
    return grantedSelection(world, node, selection.selectionSet, name) ?? [];
  });
  return found.length === 0 ? undefined : { selection: together(found.map(({ selection }) => selection)) };
}

/** Merges the selections provided on the path to an object and by its last field. */
function together(sets: readonly (SelectionSetNode | undefined)[]): SelectionSetNode | undefined {
  const selections = sets.flatMap((set) => set?.selections ?? []);
  return selections.length === 0 ? undefined : { kind: Kind.SELECTION_SET, selections };
}

/** A subgraph with the properties of its types. */
export interface Reporting {
  readonly facts: SubgraphFacts;
  readonly world: World;
}

function toSubgraph(reporting: Reporting, value: WorldValue, provided: SelectionSetNode | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: WorldValue) => toSubgraph(reporting, item, provided));
  if (!isNode(value)) return value;
  return { __typename: nameIn(reporting, value.type), node: value, provided } satisfies SubgraphObject;
}

/** Values of the scalar `JSON` are objects too, but none of them has a type and an id. */
export function isNode(value: unknown): value is WorldNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'id' in value;
}

/** Returns the type name that a subgraph uses. A subgraph that declares an interface as an object knows none of its implementations. */
export function nameIn({ facts: { types }, world }: Reporting, type: string): string {
  if (types.has(type)) return type;
  const object = [...types.values()].find(
    ({ name, isInterfaceObject }) => isInterfaceObject && world.fields.possibleTypes(name).includes(type),
  );
  if (object === undefined) throw new Error(`Unknown type ${type}.`);
  return object.name;
}

/** Source of required fields in addition to a representation: a provided field is known without one. */
interface Source {
  readonly world: World;
  readonly run: Run;
  readonly parent?: SubgraphObject;
}

function readInputs(source: Source, { selections }: SelectionSetNode, given: unknown): Inputs {
  const inputs: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      inputs[selection.name.value] = readInput(source, selection, given);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = typeof given === 'object' && given !== null ? (given as { __typename?: unknown }).__typename : undefined;
      if (typeof type !== 'string') throw new Error('The type of a required object was not sent.');
      const condition = selection.typeCondition?.name.value;
      if (condition !== undefined && !source.world.fields.possibleTypes(condition).includes(type)) continue;
      Object.assign(inputs, readInputs(source, selection.selectionSet, given));
    }
  }
  return inputs;
}

function readInput({ world, run, parent }: Source, selection: FieldNode, given: unknown): unknown {
  const name = selection.name.value;
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, name)) {
    return readInside({ world, run }, selection.selectionSet, (given as Record<string, unknown>)[name]);
  }
  if (parent !== undefined && isGranted(world, parent, selection)) {
    return world.inputsOf(parent.node, { kind: Kind.SELECTION_SET, selections: [selection] }, run)[name];
  }
  throw new Error(`The required field ${name} was not sent.`);
}

/** Whether all of a required field was provided at the position of the object. */
function isGranted(world: World, { node, provided }: SubgraphObject, required: FieldNode): boolean {
  const granted = grantedSelection(world, node, provided, required.name.value);
  if (granted === undefined || (required.arguments?.length ?? 0) > 0) return false;
  const names = new Set(granted.selection?.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '')));
  return (required.selectionSet?.selections ?? []).every((inner) => {
    return inner.kind === Kind.FIELD && inner.selectionSet === undefined && names.has(inner.name.value);
  });
}

function readInside(source: Source, selection: SelectionSetNode | undefined, value: unknown): unknown {
  if (selection === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => readInside(source, selection, item));
  const inputs = readInputs(source, selection, value);
  return hasFragments(selection) ? { __typename: (value as { __typename?: unknown }).__typename, ...inputs } : inputs;
}

function findEntity(facts: SubgraphFacts, representation: Inputs, { world, run }: SubgraphContext): SubgraphObject {
  const name = String(representation['__typename']);
  const type = facts.types.get(name);
  if (type === undefined) throw new Error(`${facts.name} does not know the type ${name}.`);
  const complete = type.keys.filter(({ fields, isResolvable }) => isResolvable && isComplete({ world, run }, fields, representation));
  if (complete.length === 0) throw new Error(`${facts.name} resolves no reference ${JSON.stringify(representation)}.`);
  // Other keys in the representation must be correct as well.
  const node = world.candidates(name).find((candidate) => {
    return complete.every(({ fields }) =>
      sameInputs(world.inputsOf(candidate, fields, run), readInputs({ world, run }, fields, representation)),
    );
  });
  if (node === undefined) throw new Error(`There is no ${JSON.stringify(representation)}.`);
  return { __typename: nameIn({ facts, world }, node.type), node, representation };
}

function isComplete(source: Source, fields: SelectionSetNode, representation: Inputs): boolean {
  return !(settle(() => readInputs(source, fields, representation)) instanceof Error);
}

function sameInputs(one: Inputs, other: Inputs): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function settle<T>(get: () => T): T | Error {
  try {
    return get();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
