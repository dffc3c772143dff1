import type { Shape } from './shape.ts';
import { canBe, describeShape, itemShape, NOTHING, unionShape, UNKNOWN_SHAPE } from './shapes.ts';

/** Static type of a method. */
interface MethodType {
  /** Kinds of the input. @defaultValue all */
  readonly input?: readonly Shape['kind'][];
  /** Computes the result. For `->match`, the arguments are the results of the pairs. */
  readonly result: (input: Shape, args: readonly Shape[]) => Shape;
}

const BOOLEAN: Shape = { kind: 'boolean' };
const NUMBER: Shape = { kind: 'number' };
const STRING: Shape = { kind: 'string' };

const returning = (shape: Shape) => (): Shape => shape;
const first = (_input: Shape, [argument]: readonly Shape[]): Shape => argument ?? UNKNOWN_SHAPE;
const listOf = (items: Shape): Shape => ({ kind: 'list', items });
const item = (input: Shape): Shape =>
  input.kind === 'unknown' || input.kind === 'list' || input.kind === 'union' ? itemShape(input) : input;

const SIZED: readonly Shape['kind'][] = ['list', 'string', 'object'];
const compare: MethodType = { input: ['number', 'string'], result: returning(BOOLEAN) };
const logic: MethodType = { input: ['boolean'], result: returning(BOOLEAN) };
const arithmetic: MethodType = { input: ['number'], result: returning(NUMBER) };
const text: MethodType = { input: ['string'], result: returning(STRING) };
const pairs: MethodType = { result: (_input, args) => unionShape(args) };

const TYPES: ReadonlyMap<string, MethodType> = new Map(
  Object.entries<MethodType>({
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
          fields: new Map<string, Shape>([
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
    toString: { input: ['string', 'number', 'boolean', 'null'], result: returning(STRING) },
    split: { input: ['string'], result: returning(listOf(STRING)) },
    trim: text,
    trimStart: text,
    trimEnd: text,
    keysToCamelCase: { input: ['object'], result: returning(UNKNOWN_SHAPE) },
    keysToCamelCaseDeep: { result: returning(UNKNOWN_SHAPE) },
  }),
);

/** Returns the shape of the result of a method, and what is wrong with its input. */
export function methodShape(
  name: string,
  input: Shape,
  args: readonly Shape[],
): { readonly shape: Shape; readonly problem: string | undefined } {
  const type = TYPES.get(name);
  if (type === undefined) return { shape: UNKNOWN_SHAPE, problem: undefined };
  if (type.input !== undefined && !canBe(input, type.input)) {
    return { shape: NOTHING, problem: `${describeShape(input)} cannot be the input of ->${name}` };
  }
  return { shape: type.result(input, args), problem: undefined };
}
