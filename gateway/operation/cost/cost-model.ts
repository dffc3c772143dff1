import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isUnionType,
} from 'graphql';
import type { CostRules, ListSizeRule } from '../../supergraph/read-cost-rules.ts';
import { recognizeSlicingArguments } from './recognize-slicing-arguments.ts';

/** Cost of a field according to the schema. */
export interface FieldCost {
  /** Schema coordinate, for messages. */
  readonly coordinate: string;
  /** Cost that is added once, regardless of the value. @unit points */
  readonly base: number;
  /** Weight of each item, without its selections. @unit points */
  readonly weight: number;
  /** Number of nested lists; 0 for a single value. */
  readonly listDepth: number;
  /** `@listSize`, or the slicing arguments that were recognized by their names. */
  readonly listSize?: ListSizeRule;
  /** Default values of the arguments that limit the number of items. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Costs of the arguments that can cost something, by name. */
  readonly inputs: ReadonlyMap<string, InputCost>;
  /** Type of the field, when it has selections. */
  readonly type?: GraphQLCompositeType;
}

/** Cost of an input value. */
export interface InputCost {
  /** Weight of each value that is not null. @unit points */
  readonly weight: number;
  /**
   * Returns the costs of the fields of an input object that can cost something. Computed on first use, because input types can be circular.
   */
  fields(): ReadonlyMap<string, InputCost>;
}

export interface CostModel {
  readonly schema: GraphQLSchema;
  /** Returns undefined for introspection, which costs nothing. */
  field(parent: GraphQLCompositeType, name: string): FieldCost | undefined;
}

/** Cost of each root field of a mutation, in addition to its result. @unit points */
const MUTATION_COST = 10;

const NO_INPUTS: ReadonlyMap<string, InputCost> = new Map();
const NO_DEFAULTS: Readonly<Record<string, unknown>> = {};

/**
 * Creates the cost model of a schema. An object costs 1, also as an argument; scalars and enums cost 0. `@cost` overrides both.
 *
 * @param slicingArguments names of arguments that define the number of items of a field without `@listSize`. @defaultValue none
 */
export function createCostModel(
  schema: GraphQLSchema,
  { weights, listSizes }: CostRules,
  slicingArguments: readonly string[] = [],
): CostModel {
  const known = new Map<GraphQLCompositeType, Map<string, FieldCost>>();
  const inputTypes = new Map<string, ReadonlyMap<string, InputCost>>();

  function weightOfType(type: GraphQLNamedType): number {
    if (isAbstractType(type)) return Math.max(0, ...schema.getPossibleTypes(type).map(weightOfType)); // Any of them can be returned.
    return weights.get(type.name) ?? (isCompositeType(type) || isInputObjectType(type) ? 1 : 0);
  }

  function fieldWeight(parent: GraphQLCompositeType, name: string, type: GraphQLNamedType): number {
    const own = weights.get(`${parent.name}.${name}`);
    if (own !== undefined || !isAbstractType(parent)) return own ?? weightOfType(type);
    const others = schema.getPossibleTypes(parent).flatMap((possible) => weights.get(`${possible.name}.${name}`) ?? []);
    return Math.max(weightOfType(type), ...others);
  }

  function listSizeOf(parent: GraphQLCompositeType, name: string): ListSizeRule | undefined {
    const own = listSizes.get(`${parent.name}.${name}`);
    if (own !== undefined || !isAbstractType(parent)) return own;
    return schema.getPossibleTypes(parent).flatMap((possible) => listSizes.get(`${possible.name}.${name}`) ?? [])[0];
  }

  function inputCostOf(coordinate: string, inputType: GraphQLInputType): InputCost | undefined {
    const type = getNamedType(inputType);
    const weight = weights.get(coordinate) ?? weightOfType(type);
    if (isInputObjectType(type)) return { weight, fields: () => inputFieldsOf(type.name) };
    return weight === 0 ? undefined : { weight, fields: () => NO_INPUTS };
  }

  function inputFieldsOf(typeName: string): ReadonlyMap<string, InputCost> {
    const knownFields = inputTypes.get(typeName);
    if (knownFields !== undefined) return knownFields;
    const type = schema.getType(typeName);
    const definitions = isInputObjectType(type) ? Object.values(type.getFields()) : [];
    const made = mapOf(definitions.map(({ name, type: below }) => [name, inputCostOf(`${typeName}.${name}`, below)]));
    inputTypes.set(typeName, made);
    return made;
  }

  function makeField(parent: GraphQLCompositeType, name: string): FieldCost | undefined {
    const definition = isUnionType(parent) ? undefined : parent.getFields()[name];
    if (definition === undefined) return undefined;
    const coordinate = `${parent.name}.${name}`;
    const named = getNamedType(definition.type);
    const listSize = listSizeOf(parent, name) ?? recognizeSlicingArguments(definition, slicingArguments);
    return {
      coordinate,
      base: parent === schema.getMutationType() ? MUTATION_COST : 0,
      weight: fieldWeight(parent, name, named),
      listDepth: listDepthOf(definition.type),
      ...(listSize === undefined ? {} : { listSize }),
      defaults: defaultsOf(definition.args),
      inputs: mapOf(definition.args.map((argument) => [argument.name, inputCostOf(`${coordinate}(${argument.name}:)`, argument.type)])),
      ...(isCompositeType(named) ? { type: named } : {}),
    };
  }

  return {
    schema,
    field(parent, name) {
      const knownFields = known.get(parent);
      const knownField = knownFields?.get(name);
      if (knownField !== undefined) return knownField;
      const made = makeField(parent, name);
      if (made === undefined) return undefined;
      if (knownFields === undefined) known.set(parent, new Map([[name, made]]));
      else knownFields.set(name, made);
      return made;
    },
  };
}

function listDepthOf(outputType: GraphQLOutputType): number {
  const type = getNullableType(outputType);
  return isListType(type) ? 1 + listDepthOf(type.ofType) : 0;
}

function defaultsOf(definitions: readonly GraphQLArgument[]): Readonly<Record<string, unknown>> {
  if (definitions.length === 0) return NO_DEFAULTS;
  return Object.fromEntries(definitions.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue]])));
}

function mapOf(entries: readonly (readonly [string, InputCost | undefined])[]): ReadonlyMap<string, InputCost> {
  if (entries.length === 0) return NO_INPUTS;
  return new Map(entries.flatMap(([name, cost]) => (cost === undefined ? [] : [[name, cost] as const])));
}
