import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Numbers of fields of the operations, in turn. */
const SIZES = [6, 15, 40] as const;

/** Maximum nesting of an operation. Large graphs have lists in lists. */
const MAX_DEPTH = 4;

/** Maximum number of fields of one object. */
const MAX_FIELDS = 8;

/** State while one operation is written. */
interface Draft {
  /** Number of fields that can still be added. */
  fields: number;
  readonly variables: string[];
  readonly random: (below: number) => number;
}

/**
 * Writes operations that are valid against a schema, for code that must be run before the first operations of clients arrive. No
 * subgraph must receive them. The operations of a schema are the same each time.
 */
export function* writeSampleOperations(schema: GraphQLSchema, count: number): Generator<string, void, undefined> {
  const root = schema.getQueryType();
  if (root === undefined || root === null) return;
  const random = createRandom();
  for (let index = 0; index < count; index += 1) {
    const draft: Draft = { fields: SIZES[index % SIZES.length] ?? 1, variables: [], random };
    const selection = writeSelection(root, schema, 0, draft);
    const definitions = draft.variables.length === 0 ? '' : `(${draft.variables.join(', ')})`;
    yield `query GatefoldSample${index}${definitions} ${selection}`;
  }
}

function writeSelection(type: GraphQLNamedType, schema: GraphQLSchema, depth: number, draft: Draft): string {
  const parts = ['__typename'];
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of pickFields(Object.values(type.getFields()), draft)) {
      if (draft.fields <= 0) break;
      const written = writeField(field, schema, depth, draft);
      if (written !== undefined) parts.push(written);
    }
  }
  if (isAbstractType(type) && draft.fields > 0) {
    const possible = schema.getPossibleTypes(type);
    const one = possible[draft.random(possible.length)];
    if (one !== undefined) parts.push(`... on ${one.name} ${writeInside(one, schema, depth, draft)}`);
  }
  return `{ ${parts.join(' ')} }`;
}

/** Writes the fields of one possible type. Their aliases cannot conflict with fields of the interface. */
function writeInside(type: GraphQLNamedType, schema: GraphQLSchema, depth: number, draft: Draft): string {
  if (!isObjectType(type)) return '{ __typename }';
  const leaves = pickFields(Object.values(type.getFields()), draft).filter((field) => isLeafType(getNamedType(field.type)));
  const written = leaves.slice(0, 2).flatMap((field, index) => {
    const text = writeField(field, schema, depth, draft);
    return text === undefined ? [] : [`inside${index}: ${text}`];
  });
  return `{ __typename ${written.join(' ')} }`;
}

/** @returns undefined when the field needs a selection and the operation is deep enough */
function writeField(field: GraphQLField<unknown, unknown>, schema: GraphQLSchema, depth: number, draft: Draft): string | undefined {
  const type = getNamedType(field.type);
  const isLeaf = isLeafType(type);
  if (!isLeaf && depth >= MAX_DEPTH) return undefined;
  draft.fields -= 1;
  const args = field.args.filter((arg) => isRequiredArgument(arg)).map((arg) => writeArgument(arg, draft));
  const text = args.length === 0 ? field.name : `${field.name}(${args.join(', ')})`;
  return isLeaf ? text : `${text} ${writeSelection(type, schema, depth + 1, draft)}`;
}

function writeArgument({ name, type }: GraphQLArgument, { variables }: Draft): string {
  const variable = `$v${variables.length}`;
  variables.push(`${variable}: ${String(type)}`);
  return `${name}: ${variable}`;
}

/** Picks some of many fields, starting with a random one. */
function pickFields<Field>(fields: readonly Field[], { random }: Draft): readonly Field[] {
  const first = random(fields.length);
  return [...fields.slice(first), ...fields.slice(0, first)].slice(0, MAX_FIELDS);
}

/** Creates a generator of pseudo-random numbers (minimal standard, Park and Miller 1988). */
function createRandom(): (below: number) => number {
  let state = 20_261_130;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return below === 0 ? 0 : state % below;
  };
}
