import { setTimeout as delay } from 'node:timers/promises';
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getNamedType,
  type GraphQLAbstractType,
  type GraphQLFieldResolver,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import type { SdlFile } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { buildMockSchema } from './build-mock-schema.ts';
import { type MockedField, mockLeaf, numberFor } from './mock-scalars.ts';
import { type MockOverrides, NO_OVERRIDES } from './read-overrides.ts';

/** Request to a mocked subgraph. */
export interface MockRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

/** Subgraph with values that depend only on type, key and field, so that they are the same in every run. */
export interface Mock {
  readonly schema: GraphQLSchema;
  /** Executes a query or mutation. @returns the errors of an invalid request without `data` */
  execute(request: MockRequest, overrides?: MockOverrides): Promise<ExecutionResult>;
  /**
   * Reads and validates a request. `execute` and `subscribe` of graphql-js accept the result.
   *
   * @returns the arguments of the execution, or the errors of an invalid request
   */
  prepare(request: MockRequest, overrides?: MockOverrides): ExecutionArgs | readonly GraphQLError[];
}

export interface MockOptions {
  /** Interval between two events of a subscription. The first event is sent at once. @unit milliseconds @defaultValue 2,000 */
  readonly eventIntervalMs?: number;
}

/** Object of a mocked subgraph. */
interface MockObject {
  readonly typeName: string;
  /** Text that identifies the object: the values of its key, or its position in the response. */
  readonly identity: string;
  readonly label: string;
  /** Values that do not have to be made: those of a representation, of arguments and of overrides. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Position of a value that is made. */
interface Position {
  /** Text that identifies the value. */
  readonly seed: string;
  /** Number of the value in its list, or 0. */
  readonly index: number;
  readonly isRoot: boolean;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Number of items in a list. Ids of entities are the numbers up to it, so that lists and references lead to the same entities. */
const LIST_LENGTH = 3;
const EVENT_INTERVAL_MS = 2_000;
const SLICING = new Set(['first', 'last', 'limit', 'size', 'pageSize', 'take', 'count']);
const NO_VALUES: Readonly<Record<string, unknown>> = {};

/** Creates the mock of a subgraph. @throws GraphQLError if its SDL cannot be built */
export function createMock(files: readonly SdlFile[], { eventIntervalMs = EVENT_INTERVAL_MS }: MockOptions = {}): Mock {
  const { schema, keysOf } = buildMockSchema(files);
  const sdl = files.map(({ text }) => text).join('\n');

  /** Returns the fields of the first key that values contain, or of the first key of the type. */
  function keyOf(typeName: string, given: Readonly<Record<string, unknown>>): readonly string[] | undefined {
    const keys = keysOf.get(typeName) ?? (fieldTypeOf(schema, typeName, 'id') === undefined ? [] : [['id']]);
    return keys.find((fields) => fields.every((field) => given[field] !== undefined)) ?? keys[0];
  }

  function makeObject(typeName: string, { seed, index, isRoot, given }: Position): MockObject {
    const key = keyOf(typeName, given);
    if (key === undefined) return { typeName, identity: seed, label: String(1 + numberFor(seed, 1_000)), given };
    const number = isRoot ? index + 1 : 1 + ((numberFor(seed, LIST_LENGTH) + index) % LIST_LENGTH);
    const values = Object.fromEntries(key.map((field) => [field, given[field] ?? keyValue(typeName, field, number)]));
    const label = key.map((field) => labelOf(values[field])).join(' ');
    return { typeName, identity: `${typeName} ${JSON.stringify(values)}`, label, given: { ...given, ...values } };
  }

  function keyValue(typeName: string, field: string, number: number): unknown {
    const type = fieldTypeOf(schema, typeName, field);
    const named = type && getNamedType(type);
    if (named === undefined || !isLeafType(named)) return { id: String(number) };
    if (named.name === 'ID' || named.name === 'String') return String(number);
    if (named.name === 'Int' || named.name === 'Float') return number;
    return mockLeaf(named, { typeName, fieldName: field, label: String(number), seed: `${typeName} ${number} ${field}` });
  }

  /** Selects one of the possible types, the same one for the same position. */
  function concreteTypeOf(type: GraphQLAbstractType, { seed, index, given }: Position): string {
    if (typeof given['__typename'] === 'string' && isObjectType(schema.getType(given['__typename']))) return given['__typename'];
    const names = schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .toSorted();
    const name = names[(numberFor(`${seed} type`, names.length) + index) % names.length];
    if (name === undefined) throw new GraphQLError(`The type ${type.name} has no possible types, so it cannot be mocked.`);
    return name;
  }

  function makeValue(type: GraphQLOutputType, position: Position, field: Omit<MockedField, 'seed'>, length: number): unknown {
    if (isNonNullType(type)) return makeValue(type.ofType, position, field, length);
    if (isListType(type)) {
      return Array.from({ length }, (_, index) => {
        const item = { ...position, index, seed: hasKey(type.ofType) ? position.seed : `${position.seed}[${index}]` };
        return makeValue(type.ofType, item, { ...field, label: `${field.label} ${index + 1}` }, length);
      });
    }
    if (isLeafType(type)) return mockLeaf(type, { ...field, seed: position.seed });
    return makeObject(isAbstractType(type) ? concreteTypeOf(type, position) : type.name, position);
  }

  /** Whether items of a list differ by their keys, so that their seed need not. */
  function hasKey(type: GraphQLOutputType): boolean {
    return isObjectType(getNamedType(type)) && keyOf(getNamedType(type).name, NO_VALUES) !== undefined;
  }

  /** Converts a given value to the type of its field. Objects are completed with made values. */
  function adopt(value: unknown, type: GraphQLOutputType, position: Position): unknown {
    if (value === null || value === undefined) return null;
    if (isNonNullType(type)) return adopt(value, type.ofType, position);
    if (isListType(type)) {
      if (!Array.isArray(value)) throw new GraphQLError(`Expected a list, got ${JSON.stringify(value)}.`);
      return value.map((item, index) => adopt(item, type.ofType, { ...position, index, seed: `${position.seed}[${index}]` }));
    }
    if (isLeafType(type)) return value;
    if (typeof value !== 'object') throw new GraphQLError(`Expected an object with fields of ${type.name}, got ${JSON.stringify(value)}.`);
    const given = { ...position.given, ...value };
    const next = { ...position, given };
    return makeObject(isAbstractType(type) ? concreteTypeOf(type, next) : type.name, next);
  }

  /** Selects one value of a list that an override gives for a field without a list. */
  function choose(value: unknown, type: GraphQLOutputType, seed: string): unknown {
    const nullable = isNonNullType(type) ? type.ofType : type;
    if (!Array.isArray(value) || isListType(nullable)) return value;
    return (value as readonly unknown[])[numberFor(seed, Math.max(1, value.length))];
  }

  function representationToObject(representation: unknown): MockObject {
    const given = representation as Readonly<Record<string, unknown>>;
    const name = String(given['__typename']);
    const type = schema.getType(name);
    const position = { seed: `${name} ${JSON.stringify(given)}`, index: 0, isRoot: false, given };
    if (isInterfaceType(type)) {
      // An interface object of another subgraph knows only the name of the interface.
      return makeObject(concreteTypeOf(type, { ...position, given: { ...given, __typename: undefined } }), position);
    }
    if (!isObjectType(type)) throw new GraphQLError(`The subgraph has no entity ${name}.`);
    return makeObject(name, position);
  }

  const resolve: GraphQLFieldResolver<MockObject | undefined, MockOverrides, Readonly<Record<string, unknown>>> = (
    parent,
    args,
    overrides,
    info,
  ) => {
    const { parentType, fieldName, returnType } = info;
    if (parent === undefined && fieldName === '_service') return { typeName: '_Service', identity: '', label: '', given: { sdl } };
    if (parent === undefined && fieldName === '_entities')
      return (args['representations'] as readonly unknown[]).map(representationToObject);
    const owner = parent ?? { typeName: parentType.name, identity: parentType.name, label: '', given: NO_VALUES };
    const seed = [owner.identity, fieldName, ...(Object.keys(args).length > 0 ? [JSON.stringify(args)] : [])].join(' ');
    const isRoot = parent === undefined && info.operation.operation === OperationTypeNode.QUERY;
    const position = { seed, index: 0, isRoot, given: givenByArguments(args, info) };
    const given = Object.hasOwn(owner.given, fieldName) ? owner.given[fieldName] : undefined; // A field can be named `constructor`.
    if (given !== undefined) return adopt(given, returnType, position);
    const override = overrides.valueOf(owner.typeName, fieldName);
    if (override !== undefined) return adopt(choose(override, returnType, seed), returnType, position);
    const named = getNamedType(returnType);
    const scalar = isLeafType(named) ? overrides.scalarOf(named.name) : undefined;
    if (scalar !== undefined && !isListType(isNonNullType(returnType) ? returnType.ofType : returnType))
      return choose(scalar, returnType, seed);
    return makeValue(returnType, position, { typeName: owner.typeName, label: owner.label, fieldName }, lengthFor(args));
  };

  function prepare({ query, variables, operationName }: MockRequest, overrides = NO_OVERRIDES): ExecutionArgs | readonly GraphQLError[] {
    try {
      const document = parse(query);
      const errors = validate(schema, document);
      if (errors.length > 0) return errors;
      return {
        schema,
        document,
        variableValues: variables ?? null,
        operationName: operationName ?? null,
        contextValue: overrides,
        fieldResolver: resolve as GraphQLFieldResolver<unknown, unknown>,
        subscribeFieldResolver: () => makeEvents(eventIntervalMs),
        typeResolver: (value) => (value as MockObject).typeName,
      };
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }

  return {
    schema,
    prepare,
    async execute(request, overrides) {
      const prepared = prepare(request, overrides);
      return 'document' in prepared ? execute(prepared) : { errors: prepared };
    },
  };
}

/** Emits the root object of one event after another. Values depend on the number of the event, so that events differ. */
async function* makeEvents(intervalMs: number): AsyncGenerator<MockObject> {
  for (let number = 1; ; number += 1) {
    yield { typeName: 'Subscription', identity: `Event ${number}`, label: String(number), given: NO_VALUES };
    await delay(intervalMs, undefined, { ref: false });
  }
}

/** Returns the values of arguments with the name and the type of a field of the result: `film(id: "7")` returns the film with this id. */
function givenByArguments(args: Readonly<Record<string, unknown>>, { schema, returnType, parentType, fieldName }: GraphQLResolveInfo) {
  const named = getNamedType(returnType);
  if (!isObjectType(named) && !isInterfaceType(named)) return NO_VALUES;
  const isMutation = parentType === schema.getMutationType();
  const given: Record<string, unknown> = {};
  for (const argument of parentType.getFields()[fieldName]?.args ?? []) {
    const value = args[argument.name];
    if (value === undefined || value === null) continue;
    const type = getNamedType(argument.type);
    const values = isMutation && isInputObjectType(type) ? value : { [argument.name]: value };
    for (const [name, part] of Object.entries(values)) {
      const field = named.getFields()[name];
      const isSame = field !== undefined && isLeafType(getNamedType(field.type)) && Array.isArray(part) === isListed(field.type);
      if (isSame && part !== null) given[name] = part;
    }
  }
  return given;
}

function isListed(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

function lengthFor(args: Readonly<Record<string, unknown>>): number {
  const wanted = Object.entries(args).flatMap(([name, value]) =>
    SLICING.has(name) && typeof value === 'number' ? [Math.max(0, value)] : [],
  );
  return Math.min(LIST_LENGTH, ...wanted);
}

function fieldTypeOf(schema: GraphQLSchema, typeName: string, fieldName: string): GraphQLOutputType | undefined {
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName]?.type : undefined;
}

function labelOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? Object.values(value).join(' ') : `${value as string | number}`;
}
