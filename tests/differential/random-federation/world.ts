import { type FieldNode, type GraphQLSchema, Kind, type SelectionSetNode, getArgumentValues, getNamedType, isObjectType } from 'graphql';
import type { SubgraphFacts } from './read-facts.ts';
import { type FailureLimits, type WorldField, type WorldFields, deriveWorldFields } from './world-fields.ts';
import { type WorldNode, type WorldTraits, type WorldValue, chooseTraits, entitiesOf, makeValue, stableJson } from './world-values.ts';

/** State that changes while an operation runs, and properties of its request. */
export interface Run {
  /** Number of root mutation fields that have run. */
  mutations: number;
  /** Active labels of `@override`. */
  readonly labels: ReadonlySet<string>;
}

/** All data, with the only correct value of every field. */
export interface World {
  readonly traits: WorldTraits;
  readonly fields: WorldFields;
  /** Inputs of a field in addition to its object: its arguments and required fields. */
  valueOf(node: WorldNode, field: WorldField, given: Given, run: Run): WorldValue;
  /** Values that a selection of required fields, or of a key, has at a node. */
  inputsOf(node: WorldNode, selection: SelectionSetNode, run: Run): Inputs;
  /** Entities that a reference of this type may identify. */
  candidates(type: string): readonly WorldNode[];
}

/** Values of required fields, by name. */
export type Inputs = Readonly<Record<string, unknown>>;

export interface Given {
  readonly args: Readonly<Record<string, unknown>>;
  readonly required?: Inputs | undefined;
}

/** Field name whose value is the number of mutations that ran before its request. */
export const VOLATILE = 'tick';

/** Start of the names of root fields that find an entity by its key, which their arguments are. Names of the type and the subgraph follow. */
export const LOOK_UP = 'find_';

export interface WorldSchemas {
  /** Schemas of the subgraphs, by name. */
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  readonly publicSchema: GraphQLSchema;
  /** Limits for failures, by coordinate. @defaultValue no limits */
  readonly failures?: FailureLimits | undefined;
}

/** Creates the world that subgraphs describe. The same SDL and seed create the same world. */
export function createWorld(subgraphs: readonly SubgraphFacts[], { schemas, publicSchema, failures }: WorldSchemas, seed: number): World {
  const traits = chooseTraits(seed);
  const fields = deriveWorldFields(subgraphs, { schemas, publicSchema, failures });
  const singles = singleTypes(subgraphs);
  const areMutationsInside = [...schemas.values()].some(leadsToMutation);

  function valueOf(node: WorldNode, field: WorldField, { args, required }: Given, run: Run): WorldValue {
    if (node.type === 'Query' && field.name.startsWith(LOOK_UP)) return findBy(field.namedType, args, run) ?? null;
    const used = [...field.argumentNames].filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]]);
    let inputs = used.length === 0 ? '' : stableJson(used);
    if (required !== undefined) inputs += `|${stableJson(required)}`;
    // Mutations inside of results have no order that both sides must preserve.
    if ((node.type === 'Mutation' && !areMutationsInside) || field.name === VOLATILE) inputs += `#${run.mutations}`;
    return withOnly(singles, makeValue(traits, { node, field, inputs }, fields.isEntity));
  }

  function findBy(type: string, args: Given['args'], run: Run): WorldNode | undefined {
    return fields
      .possibleTypes(type)
      .flatMap(entitiesOf)
      .find((node) => hasInputs(node, args, run));
  }

  /** Whether fields of a node have these values. */
  function hasInputs(node: WorldNode, given: Inputs, run: Run): boolean {
    return Object.entries(given).every(([name, expected]) => {
      const field = fields.find(node.type, name);
      if (field === undefined) return false;
      const value = valueOf(node, field, { args: {} }, run);
      const isObject = typeof expected === 'object' && expected !== null && typeof value === 'object' && value !== null;
      return isObject ? hasInputs(value as WorldNode, expected as Inputs, run) : value === expected;
    });
  }

  function inputsOf(node: WorldNode, { selections }: SelectionSetNode, run: Run): Inputs {
    const inputs: Record<string, unknown> = {};
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        Object.assign(inputs, { [selection.name.value]: inputOf(node, selection, run) });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        if (condition !== undefined && !fields.possibleTypes(condition).includes(node.type)) continue;
        Object.assign(inputs, inputsOf(node, selection.selectionSet, run));
      }
    }
    return inputs;
  }

  function inputOf(node: WorldNode, selection: FieldNode, run: Run): unknown {
    if (selection.name.value === '__typename') return node.type;
    const field = fields.find(node.type, selection.name.value);
    if (field === undefined) throw new Error(`No subgraph resolves ${node.type}.${selection.name.value}.`);
    const args = getArgumentValues(field.definition, selection);
    const required = field.requires && inputsOf(node, field.requires, run);
    return toInput(valueOf(node, field, { args, required }, run), selection.selectionSet, run);
  }

  function toInput(value: WorldValue, selection: SelectionSetNode | undefined, run: Run): unknown {
    if (selection === undefined || value === null) return value;
    if (Array.isArray(value)) return value.map((item: WorldValue) => toInput(item, selection, run));
    const node = value as WorldNode;
    return { ...(hasFragments(selection) && { __typename: node.type }), ...inputsOf(node, selection, run) };
  }

  return { traits, fields, valueOf, inputsOf, candidates: (type) => fields.possibleTypes(type).flatMap(entitiesOf) };
}

/** Lists types whose only key is the type name: there is one object of each. */
function singleTypes(subgraphs: readonly SubgraphFacts[]): ReadonlySet<string> {
  const types = subgraphs.flatMap((subgraph) => [...subgraph.types.values()]);
  const single = types.filter(({ keys }) => {
    return keys.some(({ fields: { selections } }) => {
      return selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value === '__typename');
    });
  });
  return new Set(single.map(({ name }) => name));
}

function withOnly(singles: ReadonlySet<string>, value: WorldValue): WorldValue {
  if (singles.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: WorldValue) => withOnly(singles, item));
  if (!('type' in value) || !singles.has(value.type)) return value;
  return entitiesOf(value.type)[0] ?? value;
}

function leadsToMutation(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some((type) => {
    return isObjectType(type) && Object.values(type.getFields()).some((field) => getNamedType(field.type).name === 'Mutation');
  });
}

/** Whether the selection depends on the type of the objects. */
export function hasFragments({ selections }: SelectionSetNode): boolean {
  return selections.some(({ kind }) => kind === Kind.INLINE_FRAGMENT);
}
