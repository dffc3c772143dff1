import type { MappingShape } from './mapping-shape.ts';
import { canBe, describeShape, itemShape, NOTHING_SHAPE, unionShape, UNKNOWN_SHAPE } from './shapes.ts';

/** Static type of a method. */
interface MethodType {
  /** Kinds of the input. @defaultValue all */
  readonly input?: readonly MappingShape['kind'][];
  /** Computes the result. For `->match`, the arguments are the results of the pairs. */
  readonly result: (input: MappingShape, args: readonly MappingShape[]) => MappingShape;
}

const BOOLEAN: MappingShape = { kind: 'boolean' };
const NUMBER: MappingShape = { kind: 'number' };
const STRING: MappingShape = { kind: 'string' };

const returning = (shape: MappingShape) => (): MappingShape => shape;
const first = (_input: MappingShape, [argument]: readonly MappingShape[]): MappingShape => argument ?? UNKNOWN_SHAPE;
const listOf = (items: MappingShape): MappingShape => ({ kind: 'list', items });
const item = (input: MappingShape): MappingShape =>
  input.kind === 'unknown' || input.kind === 'list' || input.kind === 'union' ? itemShape(input) : input;

const SIZED: readonly MappingShape['kind'][] = ['list', 'string', 'object'];
const compare: MethodType = { input: ['number', 'string'], result: returning(BOOLEAN) };
const logic: MethodType = { input: ['boolean'], result: returning(BOOLEAN) };
const arithmetic: MethodType = { input: ['number'], result: returning(NUMBER) };
const text: MethodType = { input: ['string'], result: returning(STRING) };
const pairs: MethodType = { result: (_input, args) => unionShape(args) };

const TYPES: ReadonlyMap<string, MethodType> = new Map([
  ['toString', { input: ['string', 'number', 'boolean', 'null'], result: returning(STRING) }],
  ...Object.entries<MethodType>({
    echo: { result: first },
    map: { result: (input, args) => listOf(first(input, args)) },
    match: pairs,
    matchIf: pairs,
    first: { result: item },
    last: { result: item },
    find: { result: item },
    filter: { result: (input) => listOf(itemShape(input)) },
    slice: { input: ['list', 'string'], result: (input) => input },
    size: { input: SIZED, result: returning(NUMBER) },
    entries: {
      input: ['object'],
      result: returning(
        listOf({
          kind: 'object',
          open: false,
          fields: new Map<string, MappingShape>([
            ['key', STRING],
            ['value', UNKNOWN_SHAPE],
          ]),
        }),
      ),
    },
    keys: { input: ['object'], result: returning(listOf(STRING)) },
    values: { input: ['object'], result: returning(listOf(UNKNOWN_SHAPE)) },
    has: { result: returning(BOOLEAN) },
    get: { input: SIZED, result: returning(UNKNOWN_SHAPE) },
    typeof: { result: returning(STRING) },
    jsonStringify: { result: returning(STRING) },
    jsonParse: { input: ['string'], result: returning(UNKNOWN_SHAPE) },
    joinNotNull: { result: returning(STRING) },
    eq: { result: returning(BOOLEAN) },
    ne: { result: returning(BOOLEAN) },
    lt: compare,
    lte: compare,
    gt: compare,
    gte: compare,
    and: logic,
    or: logic,
    not: logic,
    in: { result: returning(BOOLEAN) },
    contains: { input: ['list'], result: returning(BOOLEAN) },
    add: arithmetic,
    sub: arithmetic,
    mul: arithmetic,
    div: arithmetic,
    mod: arithmetic,
    parseInt: { input: ['string', 'number'], result: returning(NUMBER) },
    split: { input: ['string'], result: returning(listOf(STRING)) },
    trim: text,
    trimStart: text,
    trimEnd: text,
    keysToCamelCase: { input: ['object'], result: returning(UNKNOWN_SHAPE) },
    keysToCamelCaseDeep: { result: returning(UNKNOWN_SHAPE) },
  }),
]);

/** Returns the shape of the result of a method, and what is wrong with its input. */
export function methodShape(
  name: string,
  input: MappingShape,
  args: readonly MappingShape[],
): { readonly shape: MappingShape; readonly problem: string | undefined } {
  const type = TYPES.get(name);
  if (type === undefined) return { shape: UNKNOWN_SHAPE, problem: undefined };
  if (type.input !== undefined && !canBe(input, type.input)) {
    return { shape: NOTHING_SHAPE, problem: `${describeShape(input)} cannot be the input of ->${name}` };
  }
  return { shape: type.result(input, args), problem: undefined };
}
