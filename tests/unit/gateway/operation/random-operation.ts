import fc from 'fast-check';
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isUnionType,
  buildSchema,
} from 'graphql';

/** Schema with all kinds of types, and with fields that have arguments of the same name and different types. */
export const RICH_SCHEMA = buildSchema(`
  type Query {
    me: Person
    node(id: ID!): Node
    search(text: String = "x", kinds: [Kind!], filter: Filter, limit: Int! = 3): [Hit!]!
    count(x: Int, ratio: Float, exact: Boolean, kind: Kind, meta: JSON, grid: [[Int!]]): String
    wide: Wide
    narrow: Narrow
  }
  interface Node { id: ID! name(short: Boolean): String friend: Node }
  interface Wide { value(x: Int, y: ID): String }
  interface Narrow { value(x: Int!, y: JSON): String }
  type Both implements Wide { value(x: Int, y: ID): String other: Wide }
  type Strict implements Narrow { value(x: Int!, y: JSON): String other: Narrow }
  type Person implements Node { id: ID! name(short: Boolean): String friend: Node age(unit: Unit! = YEARS): Int friends(first: Int, after: ID): [Person!] }
  type Robot implements Node { id: ID! name(short: Boolean): String friend: Node model: String owner: Person! }
  union Hit = Person | Robot
  enum Kind { PERSON ROBOT }
  enum Unit { YEARS DAYS }
  input Filter { ids: [ID!] min: Float = 0.5 kind: Kind not: Filter pick: Pick required: Int! = 2 }
  input Pick @oneOf { one: Int other: String }
  scalar JSON
`);

/** Takes a number below `choices` from the random draws. Smaller draws result in simpler operations. */
type Draw = (choices: number) => number;

interface Variable {
  readonly name: string;
  readonly type: string;
}

/** Text of an operation that is usually valid, with a value for each variable that requires one. */
export interface RandomOperation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export const randomOperation: fc.Arbitrary<RandomOperation> = fc
  .array(fc.nat(1_000), { minLength: 20, maxLength: 120 })
  .map((draws) => write(draws));

const ALIASES = ['name', 'id', 'a', 'b', '__a0', 'value', 'friend'];

function write(draws: readonly number[]): RandomOperation {
  let index = 0;
  const draw: Draw = (choices) => (draws[index++ % draws.length] ?? 0) % choices;
  const variables: Variable[] = [];
  const fragments: string[] = [];
  const gap = (): string => [' ', '\n', ' # note\n', ',  '][draw(4)] ?? ' ';

  const variable = (type: string): string => {
    const known = variables.find((candidate) => candidate.type === type);
    if (known !== undefined && draw(2) === 0) return `$${known.name}`;
    const name = ['n', 'v1', 'v0', 'l0', 'other'][variables.length] ?? `x${variables.length}`;
    variables.push({ name, type });
    return `$${name}`;
  };

  const literal = (type: GraphQLInputType, depth: number): string => {
    if (draw(25) === 0) return ['"text"', '1', 'NOBODY', '{}', '[1]', 'null'][draw(6)] ?? '1'; // These literals are often invalid.
    if (depth < 3 && draw(6) === 0) return variable(String(type));
    if (isNonNullType(type)) return literal(type.ofType, depth);
    if (draw(12) === 0) return 'null';
    if (isListType(type)) {
      if (draw(4) === 0) return literal(type.ofType, depth + 1);
      return `[${Array.from({ length: draw(3) }, () => literal(type.ofType, depth + 1)).join(', ')}]`;
    }
    if (isEnumType(type)) return type.getValues()[draw(2)]?.name ?? 'NONE';
    if (isInputObjectType(type)) {
      if (depth > 3) return '{}';
      const fields = Object.values(type.getFields()).filter(() => draw(3) === 0);
      return `{${fields.map((field) => `${field.name}: ${literal(field.type, depth + 1)}`).join(', ')}}`;
    }
    return scalar(type.name);
  };

  const scalar = (name: string): string => {
    const number = draw(3);
    if (name === 'Int') return `${number}`;
    if (name === 'Float') return ['1', '1.0', '2.5e3'][number] ?? '1';
    if (name === 'Boolean') return draw(2) === 0 ? 'true' : 'false';
    if (name === 'ID') return draw(2) === 0 ? `${number}` : `"${number}"`;
    if (name === 'JSON') return ['1', '"1"', '{b: [1, {c: 2}], a: 12345678901234567890}'][number] ?? '1';
    return ['"1"', '"""1"""', '"a \\" \\u00e9 b"'][number] ?? '"1"';
  };

  const condition = (): string => {
    if (draw(6) > 0) return '';
    const name = draw(2) === 0 ? 'skip' : 'include';
    const value = [variable('Boolean!'), 'true', 'false', variable('Boolean!')][draw(4)] ?? 'true';
    return ` @${name}(if: ${value})`;
  };

  const field = (definition: GraphQLField<unknown, unknown>, depth: number): string => {
    const alias = draw(3) === 0 ? `${ALIASES[draw(ALIASES.length)] ?? 'a'}: ` : '';
    const given = definition.args.filter(({ type }) => isNonNullType(type) || draw(2) === 0);
    if (draw(2) === 0) given.reverse();
    const args = given.length === 0 ? '' : `(${given.map(({ name, type }) => `${name}: ${literal(type, 0)}`).join(gap())})`;
    const below = getNamedType(definition.type);
    return `${alias}${definition.name}${args}${condition()}${isCompositeType(below) ? selections(below, depth + 1) : ''}`;
  };

  const selections = (type: GraphQLCompositeType, depth: number): string => {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const open = depth < 5 ? fields : fields.filter((candidate) => !isCompositeType(getNamedType(candidate.type)));
    const count = 1 + draw(3);
    const texts = Array.from({ length: count }, () => {
      const choice = draw(8);
      if (choice === 0 && depth < 5) return fragment(type, depth);
      const chosen = open[draw(Math.max(1, open.length))];
      if (chosen === undefined || choice === 1) return `${draw(3) === 0 ? 'kind: ' : ''}__typename`;
      return field(chosen, depth);
    });
    return ` {${gap()}${texts.join(gap())} }`;
  };

  const fragment = (type: GraphQLCompositeType, depth: number): string => {
    const possible = RICH_SCHEMA.getPossibleTypes(isAbstract(type) ? type : NODE);
    const inner = isAbstract(type) && draw(3) > 0 ? (possible[draw(possible.length)] ?? type) : type;
    if (draw(2) === 0) return `...${draw(3) === 0 ? '' : ` on ${inner.name}`}${condition()}${selections(inner, depth + 1)}`;
    if (fragments.length > 0 && draw(2) === 0) return `...F${draw(fragments.length)}${condition()}`;
    const name = `F${fragments.push('') - 1}`;
    fragments[Number(name.slice(1))] = `fragment ${name} on ${inner.name}${selections(inner, depth + 1)}`;
    return `...${name}${condition()}`;
  };

  const isMutationFree = RICH_SCHEMA.getQueryType();
  if (isMutationFree === null || isMutationFree === undefined) throw new Error('The schema has no query type.');
  const body = selections(isMutationFree, 0);
  const declared = variables.map(({ name, type }) => `$${name}: ${type}${defaultFor(type, draw)}`);
  const head =
    declared.length === 0 ? ['', 'query ', 'query Mine '][draw(3)] : `query ${draw(2) === 0 ? 'Mine' : ''}(${declared.join(', ')})`;
  return {
    text: `${head}${body} ${fragments.join(gap())}`,
    variables: Object.fromEntries(
      variables.flatMap(({ name, type }) => (type.endsWith('!') || draw(2) === 0 ? [[name, valueFor(type, draw)]] : [])),
    ),
  };
}

const NODE = RICH_SCHEMA.getType('Node') as Parameters<typeof RICH_SCHEMA.getPossibleTypes>[0];

function isAbstract(type: GraphQLCompositeType): type is Parameters<typeof RICH_SCHEMA.getPossibleTypes>[0] {
  return isUnionType(type) || isInterfaceType(type);
}

function defaultFor(type: string, draw: Draw): string {
  if (draw(4) > 0) return '';
  return type.startsWith('Int') ? ' = 7' : type.startsWith('ID') ? ' = "d"' : '';
}

function valueFor(type: string, draw: Draw): unknown {
  if (type.startsWith('[')) return [];
  const values: Readonly<Record<string, unknown>> = {
    Int: draw(3),
    Float: draw(3) + 0.5,
    Boolean: draw(2) === 0,
    ID: `${draw(3)}`,
    String: 'v',
    JSON: { any: draw(3) },
    Kind: 'ROBOT',
    Unit: 'DAYS',
    Filter: { kind: 'PERSON' },
    Pick: { one: 1 },
  };
  return values[type.replace('!', '')];
}
