import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { fieldsOf, type GraphSize, isObjectType, ITEMS_PER_LIST, namedTypeOf } from './large-supergraph.ts';

/** Operation with its variables, as in the body of a request. */
export interface OperationRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

type Data = Record<string, unknown>;

/** Object of the generated graph. All its values follow from its type and its id. */
interface Entity {
  readonly type: string;
  readonly id: string;
  /** Values that the gateway has sent with the key of the entity. */
  readonly representation?: Readonly<Data>;
}

/**
 * Resolves an operation of a client or of the gateway. All subgraphs of the generated graph return the same values for an entity, so that
 * the response to a client is the same as that of one subgraph with all types. The names of types and fields determine the values, so no
 * schema has to be created.
 *
 * @throws Error when the operation selects a field that does not exist, or when a representation lacks a required value
 */
export function resolveOperation({ query, variables = {} }: OperationRequest, size: GraphSize): Readonly<Data> {
  const document = parse(query, { noLocation: true });
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('The document has no operation.');
  return new Resolver(document, variables, size).resolveQuery(operation);
}

class Resolver {
  private readonly fragments: ReadonlyMap<string, SelectionSetNode>;
  private readonly variables: Readonly<Record<string, unknown>>;
  private readonly size: GraphSize;

  constructor(document: DocumentNode, variables: Readonly<Record<string, unknown>>, size: GraphSize) {
    this.variables = variables;
    this.size = size;
    this.fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [],
      ),
    );
  }

  resolveQuery({ selectionSet }: OperationDefinitionNode): Data {
    return resolveEach(this.fieldsOn('Query', selectionSet.selections), (field) => this.resolveRootField(field));
  }

  private resolveRootField(field: FieldNode): unknown {
    const name = field.name.value;
    if (name.startsWith('ping')) return 'pong';
    if (name === '__typename') return 'Query';
    if (name === '_entities') return this.resolveEntities(field);
    if (!/^e\d+$/.test(name)) throw new Error(`Unknown field Query.${name}.`);
    return this.resolveObject({ type: name.toUpperCase(), id: String(this.argumentOf(field, 'id')) }, field);
  }

  private resolveEntities(field: FieldNode): unknown {
    const representations = this.argumentOf(field, 'representations') as readonly Readonly<Data>[];
    return representations.map((representation) =>
      this.resolveObject({ type: String(representation['__typename']), id: idOf(representation), representation }, field),
    );
  }

  private resolveObject(entity: Entity, { selectionSet }: FieldNode): Data {
    if (selectionSet === undefined) throw new Error(`An object of type ${entity.type} has no selection.`);
    return resolveEach(this.fieldsOn(entity.type, selectionSet.selections), (field) => this.resolveField(entity, field));
  }

  private resolveField(entity: Entity, field: FieldNode): unknown {
    const name = field.name.value;
    if (name === '__typename') return entity.type;
    const definition = fieldsOf(entity.type, this.size).find((one) => one.name === name);
    if (definition === undefined) throw new Error(`Unknown field ${entity.type}.${name}.`);
    if (!isObjectType(definition.type)) return valueOf(entity, name, definition.type);
    const [type, path] = [namedTypeOf(definition.type), `${entity.id}.${name}`];
    if (definition.args === undefined) return this.resolveObject({ type, id: path }, field);
    return Array.from({ length: ITEMS_PER_LIST }, (_, index) => this.resolveObject({ type, id: `${path}.${index}` }, field));
  }

  /** Returns the fields that apply to objects of a type. */
  private fieldsOn(type: string, selections: readonly SelectionNode[]): readonly FieldNode[] {
    return selections.flatMap((selection): readonly FieldNode[] => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return this.fieldsOn(type, this.fragments.get(selection.name.value)?.selections ?? []);
      }
      const condition = selection.typeCondition?.name.value;
      return condition === undefined || condition === type || condition === 'Node'
        ? this.fieldsOn(type, selection.selectionSet.selections)
        : [];
    });
  }

  private argumentOf(field: FieldNode, name: string): unknown {
    const value = field.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value === undefined) throw new Error(`Field ${field.name.value} has no argument ${name}.`);
    return valueFromASTUntyped(value, this.variables);
  }
}

/** Resolves fields. Selections of fields with the same response key are merged. */
function resolveEach(fields: readonly FieldNode[], resolve: (field: FieldNode) => unknown): Data {
  const merged = new Map<string, FieldNode>();
  for (const field of fields) {
    const key = (field.alias ?? field.name).value;
    const selections = [...(merged.get(key)?.selectionSet?.selections ?? []), ...(field.selectionSet?.selections ?? [])];
    merged.set(key, selections.length === 0 ? field : { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } });
  }
  return Object.fromEntries([...merged].map(([key, field]) => [key, resolve(field)]));
}

/** Values of keys begin with a letter, which is not part of the id. */
function idOf({ id, code, region }: Readonly<Data>): string {
  if (typeof id === 'string') return id;
  const key = code ?? region;
  if (typeof key !== 'string') throw new Error('A representation has no key.');
  return key.slice(1);
}

function valueOf({ type, id, representation }: Entity, field: string, fieldType: string): unknown {
  switch (field) {
    case 'id':
      return id;
    case 'code':
    case 'region':
    case 'slug':
      return field.charAt(0) + id;
    case 'cost':
      return 2 * readWeight(representation ?? { weight: numberOf(`${type}.${id}.weight`) });
    default:
      return leafOf(`${type}.${id}.${field}`, fieldType);
  }
}

function leafOf(path: string, type: string): unknown {
  switch (namedTypeOf(type)) {
    case 'Int':
      return numberOf(path);
    case 'Float':
      return numberOf(path) + 0.5;
    case 'Boolean':
      return numberOf(path) % 2 === 0;
    default:
      return path;
  }
}

function readWeight({ weight }: Readonly<Data>): number {
  if (typeof weight !== 'number') throw new Error('A representation for the field cost has no weight.');
  return weight;
}

function numberOf(path: string): number {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) hash = (hash * 31 + path.charCodeAt(index)) % 1_009;
  return hash;
}
