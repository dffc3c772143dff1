import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  astFromValue,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isScalarType,
  isUnionType,
  print,
} from 'graphql';
import type { GenerateOptions } from './generate-options.ts';
import { type ValueSource, generateValue } from './generate-value.ts';
import type { Random } from '../support/random/random.ts';

interface NamedFragment {
  readonly name: string;
  readonly type: GraphQLCompositeType;
  text: string;
  /** Whether the fragment is complete: a fragment that is still being written must not spread itself. */
  isComplete: boolean;
}

/** State of one operation while it is written. */
interface Draft {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  readonly source: ValueSource;
  readonly isAllowed: (coordinate: string) => boolean;
  readonly maxDepth: number;
  readonly keys: readonly string[];
  fieldsLeft: number;
  readonly definitions: Map<string, string>;
  readonly variables: Record<string, unknown>;
  readonly fragments: NamedFragment[];
}

/** Response keys in use at one path of the response, with their meaning there. */
type TakenKeys = Map<string, { readonly meaning: string; readonly inner: TakenKeys }>;

/** The names differ from field names, because the stock planner confuses an alias with a key field of that name. */
const KEYS = ['a1', 'b1', 'c1', 'item1', 'constructor', 'toString'];

/** Writes one operation. It is valid unless response keys conflict. */
export function writeOperation(
  options: GenerateOptions,
  random: Random,
): { readonly text: string; readonly variables: Readonly<Record<string, unknown>> } {
  const { schema, kind = 'query', valueFor = () => undefined, isAllowed = () => true, maxDepth = 5, maxFields = 40, keys = KEYS } = options;
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (root === undefined || root === null) throw new Error(`The schema has no ${kind} type.`);
  const source = { random, valueFor };
  const draft: Draft = {
    schema,
    random,
    source,
    isAllowed,
    maxDepth,
    keys,
    fieldsLeft: maxFields,
    definitions: new Map(),
    variables: {},
    fragments: [],
  };
  const selection = writeSelection(draft, root, 0, new Map());
  const definitions = [...draft.definitions.values()];
  const header = `${kind} Generated${definitions.length > 0 ? `(${definitions.join(', ')})` : ''}`;
  const fragments = draft.fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`);
  return { text: [`${header} ${selection}`, ...fragments].join('\n'), variables: draft.variables };
}

function writeSelection(draft: Draft, type: GraphQLCompositeType, depth: number, taken: TakenKeys): string {
  const { random } = draft;
  const parts: string[] = [];
  const count = 1 + random.below(depth === 0 ? 4 : 5);
  for (let index = 0; index < count; index += 1) {
    const roll = random.next();
    if (roll < 0.08) parts.push(writeTypename(draft));
    else if (roll < 0.26) parts.push(writeInlineFragment(draft, type, depth, taken));
    else if (roll < 0.36) parts.push(writeSpread(draft, type, depth, taken));
    else parts.push(writeField(draft, type, depth, taken));
  }
  const written = parts.filter((part) => part !== '');
  return `{ ${written.length > 0 ? written.join(' ') : '__typename'} }`;
}

function writeTypename({ random }: Draft): string {
  return random.chance(0.3) ? `${random.pick(['t', 'kind'])}: __typename` : '__typename';
}

function writeField(draft: Draft, type: GraphQLCompositeType, depth: number, taken: TakenKeys): string {
  const { random } = draft;
  if (isUnionType(type)) return random.chance(0.3) ? writeTypename(draft) : writeInlineFragment(draft, type, depth, taken);
  if (draft.fieldsLeft <= 0) return '';
  const fields = Object.values(type.getFields()).filter((field) => {
    return draft.isAllowed(`${type.name}.${field.name}`) && (depth < draft.maxDepth || !isCompositeType(getNamedType(field.type)));
  });
  if (fields.length === 0) return '__typename';
  draft.fieldsLeft -= 1;
  const field = random.pick(fields);
  const call = `${field.name}${writeArguments(draft, type, field)}`;
  const { key, inner } = chooseKey(draft, field, call, taken);
  const named = getNamedType(field.type);
  const selection = isCompositeType(named) ? ` ${writeSelection(draft, named, depth + 1, inner)}` : '';
  return `${key === field.name ? '' : `${key}: `}${call}${writeCondition(draft)}${selection}`;
}

/** Chooses a response key that is free or has the same meaning. Sometimes it ignores conflicts, and the validator decides. */
function chooseKey(
  { random, keys }: Draft,
  field: GraphQLField<unknown, unknown>,
  call: string,
  taken: TakenKeys,
): { key: string; inner: TakenKeys } {
  const meaning = `${call}: ${String(field.type)}`;
  let key = random.chance(0.2) ? random.pick(keys) : field.name;
  for (let counter = 0; ; counter += 1) {
    const known = taken.get(key);
    if (known === undefined) {
      const inner: TakenKeys = new Map();
      taken.set(key, { meaning, inner });
      return { key, inner };
    }
    if (known.meaning === meaning || random.chance(0.15)) return { key, inner: known.inner };
    key = `${field.name}${counter}`;
  }
}

function writeCondition(draft: Draft): string {
  const { random } = draft;
  if (!random.chance(0.12)) return '';
  const written = [random.pick(['skip', 'include'])];
  if (random.chance(0.15)) written.push(written[0] === 'skip' ? 'include' : 'skip');
  return written.map((name) => ` @${name}(if: ${writeBoolean(draft)})`).join('');
}

function writeBoolean(draft: Draft): string {
  const { random } = draft;
  if (random.chance(0.4)) return String(random.chance(0.5));
  const name = random.pick(['yes', 'no', 'flag']);
  if (!draft.definitions.has(name)) {
    const isDefaulted = random.chance(0.3);
    draft.definitions.set(name, isDefaulted ? `$${name}: Boolean = ${String(name === 'yes')}` : `$${name}: Boolean!`);
    if (!isDefaulted || random.chance(0.5)) draft.variables[name] = name === 'flag' ? random.chance(0.5) : name === 'yes';
  }
  return `$${name}`;
}

/** @unit fields */
const COST_OF_A_FRAGMENT = 0.2;

function writeInlineFragment(draft: Draft, type: GraphQLCompositeType, depth: number, taken: TakenKeys): string {
  if (draft.fieldsLeft <= 0) return '';
  // Fragments on a union may contain nothing but fragments. Their cost ends the recursion.
  draft.fieldsLeft -= COST_OF_A_FRAGMENT;
  const condition = draft.random.chance(0.15) ? undefined : chooseCondition(draft, type);
  const selection = writeSelection(draft, condition ?? type, depth, taken);
  return `...${condition === undefined ? '' : ` on ${condition.name}`}${writeCondition(draft)} ${selection}`;
}

/** Chooses a type that shares a possible type with `type`, so that a fragment on it is valid there. */
function chooseCondition({ schema, random }: Draft, type: GraphQLCompositeType): GraphQLCompositeType {
  const possible = possibleTypes(schema, type);
  const types = Object.values(schema.getTypeMap()).filter((other): other is GraphQLCompositeType => {
    return isCompositeType(other) && !other.name.startsWith('__') && possibleTypes(schema, other).some((name) => possible.includes(name));
  });
  return types.length === 0 ? type : random.pick(types);
}

function possibleTypes(schema: GraphQLSchema, type: GraphQLCompositeType): readonly string[] {
  return isInterfaceType(type) || isUnionType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
}

function writeSpread(draft: Draft, type: GraphQLCompositeType, depth: number, taken: TakenKeys): string {
  const { random, schema } = draft;
  if (draft.fieldsLeft <= 0) return '';
  const possible = possibleTypes(schema, type);
  const usable = draft.fragments.filter((known) => {
    return known.isComplete && possibleTypes(schema, known.type).some((name) => possible.includes(name));
  });
  if (usable.length > 0 && random.chance(0.5)) return `...${random.pick(usable).name}${writeCondition(draft)}`;
  const fragment: NamedFragment = {
    name: `Fragment${draft.fragments.length + 1}`,
    type: chooseCondition(draft, type),
    text: '',
    isComplete: false,
  };
  draft.fragments.push(fragment);
  fragment.text = writeSelection(draft, fragment.type, depth, taken);
  fragment.isComplete = true;
  return `...${fragment.name}${writeCondition(draft)}`;
}

function writeArguments(draft: Draft, type: GraphQLCompositeType, field: GraphQLField<unknown, unknown>): string {
  const written = field.args
    .filter((argument) => isRequiredArgument(argument) || draft.random.chance(0.5))
    .map((argument) => `${argument.name}: ${writeArgument(draft, argument, `${type.name}.${field.name}(${argument.name}:)`)}`);
  return written.length > 0 ? `(${written.join(', ')})` : '';
}

function writeArgument(draft: Draft, argument: GraphQLArgument, coordinate: string): string {
  const value = generateValue(draft.source, argument.type, coordinate);
  if (draft.random.chance(0.5)) return writeMixed(draft, value, argument.type);
  return writeVariable(draft, argument, value);
}

/** Writes a literal, sometimes with a variable inside of it. */
function writeMixed(draft: Draft, value: unknown, type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isFreeForm(nullable)) return writeFreeForm(draft, value);
  if (Array.isArray(value) && isListType(nullable)) {
    const { ofType } = nullable;
    return `[${value.map((item: unknown) => writeInner(draft, item, ofType)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null && isInputObjectType(nullable) && !nullable.isOneOf) {
    const fields = nullable.getFields();
    const written = Object.entries(value).flatMap(([name, inner]) => {
      const field = fields[name];
      return field === undefined ? [] : [`${name}: ${writeInner(draft, inner, field.type)}`];
    });
    return `{${written.join(', ')}}`;
  }
  return writeLiteral(value, type);
}

function isFreeForm(type: GraphQLInputType): boolean {
  return isScalarType(type) && type.name === 'JSON';
}

/** Writes a value of no type, which may contain variables of any type. */
function writeFreeForm(draft: Draft, value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    if (typeof value !== 'number' || !draft.random.chance(0.3)) return JSON.stringify(value);
    const name = `free${draft.definitions.size}`;
    draft.definitions.set(name, `$${name}: Float!`);
    draft.variables[name] = value;
    return `$${name}`;
  }
  if (Array.isArray(value)) return `[${value.map((item: unknown) => writeFreeForm(draft, item)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${writeFreeForm(draft, inner)}`)
    .join(', ')}}`;
}

function writeInner(draft: Draft, value: unknown, type: GraphQLInputType): string {
  if (!draft.random.chance(0.2)) return writeMixed(draft, value, type);
  const name = `in${draft.definitions.size}`;
  draft.definitions.set(name, `$${name}: ${String(type)}`);
  // An absent variable omits a field of an object, and is null in a list.
  if (isNonNullType(type) || draft.random.chance(0.7)) draft.variables[name] = value;
  return `$${name}`;
}

function writeVariable(draft: Draft, argument: GraphQLArgument, value: unknown): string {
  const { random } = draft;
  const name = `${random.pick(['v', argument.name])}${draft.definitions.size}`;
  const type = argument.type;
  // A nullable variable is valid at a non-null position if either has a default (specification, 5.8.5).
  const isDefaulted = !isFreeForm(getNullableType(type)) && random.chance(0.3);
  const isLoose = isNonNullType(type) && isDefaulted;
  const variableType = String(isLoose ? type.ofType : type);
  const fallback = isDefaulted && value !== null ? ` = ${writeLiteral(value, type)}` : '';
  draft.definitions.set(name, `$${name}: ${isLoose && fallback === '' ? String(type) : variableType}${fallback}`);
  const mayBeAbsent = fallback !== '' || !isNonNullType(type);
  if (!mayBeAbsent || random.chance(0.6)) draft.variables[name] = value;
  return `$${name}`;
}

function writeLiteral(value: unknown, type: GraphQLInputType): string {
  const node = astFromValue(value, type);
  if (node === null || node === undefined) throw new Error(`A value of type ${String(type)} has no literal: ${JSON.stringify(value)}.`);
  return print(node);
}
