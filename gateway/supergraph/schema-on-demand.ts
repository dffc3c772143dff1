import {
  type DefinitionNode,
  type GraphQLAbstractType,
  type GraphQLDirective,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  isUnionType,
  Kind,
  Lexer,
  parse,
  Source,
  specifiedDirectives,
  specifiedScalarTypes,
} from 'graphql';
import {
  configureObjectType,
  createPublicDirective,
  createEnumType,
  createField,
  createInputType,
  createScalarType,
  createUnionType,
  type TypeScope,
} from './create-type.ts';
import { addDefer } from './defer-directive.ts';
import { LongObjectType } from './long-object-type.ts';
import { createRecordOnDemand } from './record-on-demand.ts';
import type { SupergraphIndex } from './supergraph-index.ts';
import { createRangeTable, type RangeTable, type TextRange } from './text-ranges.ts';

type TypeMap = ReturnType<GraphQLSchema['getTypeMap']>;
type Implementations = ReturnType<GraphQLSchema['getImplementations']>;

/** Types by name. Interfaces are those with an entry among the implementations. */
type IndexedTypes = Pick<
  SupergraphIndex,
  'description' | 'roots' | 'types' | 'fields' | 'others' | 'directives' | 'implementations' | 'inaccessible'
>;

const QUOTE = 34;

/**
 * The public schema of a supergraph, whose types are created from the text of the supergraph when they are used. Operations use few of the
 * types of a large supergraph, so a gateway that loads it neither waits for all of them nor holds them in memory. The supergraph must have
 * been validated.
 */
export class SchemaOnDemand extends GraphQLSchema {
  readonly #sdl: string;
  readonly #index: IndexedTypes;
  readonly #scope: TypeScope;
  readonly #ranges: RangeTable;
  readonly #others: ReadonlySet<string>;
  readonly #types = new Map<string, GraphQLNamedType>();
  readonly #subTypes = new Map<string, ReadonlySet<string>>();
  readonly #implementations = new Map<string, Implementations>();
  #typeMap: TypeMap | undefined;
  #directives: readonly GraphQLDirective[] | undefined;

  constructor(sdl: string, index: IndexedTypes) {
    super({ assumeValid: true, directives: [], ...(index.description === undefined ? {} : { description: index.description }) });
    this.#sdl = sdl;
    this.#index = index;
    this.#ranges = createRangeTable(index.types);
    this.#others = new Set(index.others);
    for (const type of [...Object.values(super.getTypeMap()), ...specifiedScalarTypes]) {
      if (this.#ranges.has(type.name)) this.#types.set(type.name, type);
    }
    const inaccessible = new Set(index.inaccessible);
    this.#scope = {
      typeNamed: (name) => this.getType(name),
      isHidden: ({ directives }) => inaccessible.size > 0 && directives?.some(({ name }) => inaccessible.has(name.value)) === true,
    };
  }

  /** Creates all types and fields in steps, for clients that read the whole schema. */
  *createAll(): Generator<undefined, void, undefined> {
    for (const name of this.#ranges.names) {
      const type = this.getType(name);
      if (type instanceof LongObjectType) yield* createEach(type);
      else if (type !== undefined && 'getFields' in type) type.getFields();
      yield;
    }
  }

  override getType(name: string): GraphQLNamedType | undefined {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const range = this.#ranges.find(name);
    if (range === undefined) return undefined;
    const type = this.#create(name, range);
    this.#types.set(name, type);
    return type;
  }

  override getTypeMap(): TypeMap {
    const { names, has } = this.#ranges;
    this.#typeMap ??= createRecordOnDemand<GraphQLNamedType>({ names, has, get: (name) => this.getType(name) });
    return this.#typeMap;
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.#rootType(this.#index.roots.query);
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#rootType(this.#index.roots.mutation);
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#rootType(this.#index.roots.subscription);
  }

  override getImplementations({ name }: GraphQLInterfaceType): Implementations {
    let found = this.#implementations.get(name);
    if (found === undefined) {
      const { objects = [], interfaces = [] } = this.#index.implementations.get(name) ?? {};
      found = {
        objects: objects.map((each) => this.getType(each) as GraphQLObjectType),
        interfaces: interfaces.map((each) => this.getType(each) as GraphQLInterfaceType),
      };
      this.#implementations.set(name, found);
    }
    return found;
  }

  override isSubType(abstractType: GraphQLAbstractType, maybeSubType: GraphQLObjectType | GraphQLInterfaceType): boolean {
    const { name } = abstractType;
    let names = this.#subTypes.get(name);
    if (names === undefined) {
      const { objects = [], interfaces = [] } = this.#index.implementations.get(name) ?? {};
      names = new Set(isUnionType(abstractType) ? abstractType.getTypes().map((type) => type.name) : [...objects, ...interfaces]);
      this.#subTypes.set(name, names);
    }
    return names.has(maybeSubType.name);
  }

  override getDirectives(): readonly GraphQLDirective[] {
    if (this.#directives !== undefined) return this.#directives;
    const ranges = createRangeTable(this.#index.directives);
    const directives = ranges.names.flatMap((name) => {
      const range = ranges.find(name);
      if (range === undefined) return specifiedDirectives.find((directive) => directive.name === name) ?? [];
      const definition = this.#parse(range);
      return definition?.kind === Kind.DIRECTIVE_DEFINITION ? createPublicDirective(definition, this.#scope) : [];
    });
    this.#directives = addDefer(directives);
    return this.#directives;
  }

  override getDirective(name: string): GraphQLDirective | undefined {
    return this.getDirectives().find((directive) => directive.name === name);
  }

  #rootType(name: string | undefined): GraphQLObjectType | undefined {
    return name === undefined ? undefined : (this.getType(name) as GraphQLObjectType);
  }

  #create(name: string, range: TextRange): GraphQLNamedType {
    if (this.#others.has(name)) return this.#createOther(name, range);
    const read = () => {
      const definition = this.#parse(range);
      if (definition?.kind === Kind.OBJECT_TYPE_DEFINITION || definition?.kind === Kind.INTERFACE_TYPE_DEFINITION) return definition;
      throw new Error(`The supergraph has no definition of ${name} at its position.`);
    };
    const description = this.#descriptionAt(range);
    const config = configureObjectType(description === undefined ? { name } : { name, description }, read, this.#scope);
    if (this.#index.implementations.has(name)) return new GraphQLInterfaceType(config);
    const fields = this.#index.fields.get(name);
    if (fields === undefined) return new GraphQLObjectType(config);
    const create = (node: Parameters<typeof createField>[0]) => createField(node, this.#scope);
    return new LongObjectType(config, { text: this.#sdl, ranges: createRangeTable(fields), create });
  }

  #createOther(name: string, range: TextRange): GraphQLNamedType {
    const node = this.#parse(range);
    if (node?.kind === Kind.UNION_TYPE_DEFINITION) return createUnionType(node, this.#scope);
    if (node?.kind === Kind.ENUM_TYPE_DEFINITION) return createEnumType(node, this.#scope);
    if (node?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) return createInputType(node, this.#scope);
    if (node?.kind === Kind.SCALAR_TYPE_DEFINITION) return createScalarType(node);
    throw new Error(`The supergraph has no definition of ${name} at its position.`);
  }

  /** Returns the description at the start of a definition, without parsing the definition. */
  #descriptionAt({ start, end }: TextRange): string | undefined {
    if (this.#sdl.charCodeAt(start) !== QUOTE) return undefined;
    return new Lexer(new Source(this.#sdl.slice(start, end))).advance().value;
  }

  #parse({ start, end }: TextRange): DefinitionNode | undefined {
    return parse(this.#sdl.slice(start, end), { noLocation: true }).definitions[0];
  }
}

function* createEach(type: GraphQLObjectType): Generator<undefined, void, undefined> {
  const fields = type.getFields();
  for (const name of Object.keys(fields)) {
    void fields[name];
    yield;
  }
}
