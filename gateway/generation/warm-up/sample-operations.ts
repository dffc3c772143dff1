import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Maximum number of root fields in sample operations. The types of a large schema are created on demand, so not all of them are used. */
const MAX_ROOT_FIELDS = 24;
/** Maximum number of fields of a type among which those of a selection are chosen. */
const MAX_CONSIDERED = 12;
const MAX_LEAVES = 5;
const MAX_NESTED = 2;
const MAX_DEPTH = 3;
/** Number of attempts for each operation. A small schema has few different operations. */
const ATTEMPTS = 3;

/**
 * Writes queries that are valid for a schema, each of them different. They have variables, aliases and fragments, like operations of
 * clients. Equal arguments return equal operations.
 *
 * @param count maximum number of operations
 */
export function* sampleOperations(schema: GraphQLSchema, count: number): Generator<string, void, undefined> {
  const query = schema.getQueryType();
  if (query === undefined || query === null) return;
  const names = fieldNames(query);
  if (names.length === 0) return;
  const roots = Math.min(names.length, MAX_ROOT_FIELDS);
  const known = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS * count && known.size < count; attempt += 1) {
    const field = query.getFields()[names[Math.floor(((attempt % roots) * names.length) / roots)] ?? ''];
    const operation = field && new SampleWriter(schema, attempt).write(field);
    if (operation === undefined || known.has(operation)) continue;
    known.add(operation);
    yield operation;
  }
}

/** Writes one operation. */
class SampleWriter {
  readonly #schema: GraphQLSchema;
  /** Number of the operation, which selects its fields. */
  readonly #seed: number;
  readonly #variables: string[] = [];
  readonly #fragments: string[] = [];
  #turn = 0;

  constructor(schema: GraphQLSchema, seed: number) {
    this.#schema = schema;
    this.#seed = seed;
  }

  write(field: GraphQLField<unknown, unknown>): string {
    const selection = this.#field(field, 1);
    const variables = this.#variables.length === 0 ? '' : `(${this.#variables.join(', ')})`;
    return [`query Sample${variables} { ${selection} }`, ...this.#fragments].join('\n');
  }

  /** @param prefix of the alias. Without one, the field has an alias by chance */
  #field({ name, type, args }: GraphQLField<unknown, unknown>, depth: number, prefix?: string): string {
    const given = args.filter(isRequiredArgument).map((argument) => {
      const variable = `v${this.#variables.length}`;
      this.#variables.push(`$${variable}: ${String(argument.type)}`);
      return `${argument.name}: $${variable}`;
    });
    const start = prefix ?? (this.#next(4) === 0 ? `s${depth}` : undefined);
    const alias = start === undefined ? '' : `${start}_${name}: `;
    const named = getNamedType(type);
    const inside = isCompositeType(named) ? ` ${this.#selectionSet(named, depth)}` : '';
    return `${alias}${name}${given.length === 0 ? '' : `(${given.join(', ')})`}${inside}`;
  }

  #selectionSet(type: GraphQLNamedType, depth: number): string {
    const selections = ['__typename'];
    if (isObjectType(type) || isInterfaceType(type)) selections.push(...this.#fields(type, depth));
    if (isAbstractType(type)) {
      // Fields of different types may have one name only with different aliases.
      for (const [index, possible] of this.#schema.getPossibleTypes(type).slice(0, MAX_NESTED).entries()) {
        selections.push(`... on ${possible.name} { ${['__typename', ...this.#fields(possible, depth, `t${index}`)].join(' ')} }`);
      }
    }
    const written = `{ ${selections.join(' ')} }`;
    if (this.#next(3) > 0) return written;
    const fragment = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${fragment} on ${type.name} ${written}`);
    return `{ ...${fragment} }`;
  }

  #fields(type: Pick<GraphQLObjectType, 'getFields'>, depth: number, prefix?: string): readonly string[] {
    const fields = type.getFields();
    const names = fieldNames(type);
    const first = this.#next(names.length);
    const leaves: GraphQLField<unknown, unknown>[] = [];
    const nested: GraphQLField<unknown, unknown>[] = [];
    for (let index = 0; index < Math.min(names.length, MAX_CONSIDERED); index += 1) {
      const field = fields[names[(first + index) % names.length] ?? ''];
      if (field === undefined) continue;
      if (!isCompositeType(getNamedType(field.type))) leaves.push(field);
      else if (depth < MAX_DEPTH) nested.push(field);
    }
    const leafCount = 1 + this.#next(MAX_LEAVES);
    return [...leaves.slice(0, leafCount), ...nested.slice(0, MAX_NESTED)].map((field) => this.#field(field, depth + 1, prefix));
  }

  /** Returns a number below a bound, which depends on the operation and on the previous calls. */
  #next(bound: number): number {
    this.#turn += 1;
    // Multiplication by a large prime number spreads consecutive numbers.
    return (Math.imul(this.#seed * 31 + this.#turn, 0x9e3779b1) >>> 8) % Math.max(1, bound);
  }
}

/** Returns the names of the fields without creating the fields of a long type. */
function fieldNames(type: Pick<GraphQLObjectType, 'getFields'>): readonly string[] {
  return Reflect.ownKeys(type.getFields()).filter((name) => typeof name === 'string');
}
