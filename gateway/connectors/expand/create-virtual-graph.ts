import { Kind, type OperationDefinitionNode, OperationTypeNode, parse, type SelectionSetNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { argumentsOf } from '../../directives/directive-locations.ts';
import type { ConnectorDefinition } from '../definition/connector-definition.ts';
import type { ConnectorFields } from './connector-fields.ts';
import { ConnectorsInvalid } from './connectors-invalid.ts';
import { type FieldTree, inputsOfArguments, inputsOfObject, printFieldTree } from './key-fields.ts';
import { type Entrances, type ResolvedField, resolveFields } from './resolve-fields.ts';
import { createPositions, type HasConnector, type MappedObject, type MappedPosition, reachableFrom } from './select-positions.ts';
import type { SubgraphTypes } from './subgraph-types.ts';
import type { VirtualSubgraph } from './virtual-subgraph.ts';

/** A virtual subgraph with the elements of the supergraph that belong to it. */
export interface VirtualGraph {
  readonly virtual: VirtualSubgraph;
  /** Composite types by name. */
  readonly types: ReadonlyMap<string, VirtualType>;
  /** Names of the scalars, enums and input objects that its fields use. */
  readonly others: ReadonlySet<string>;
}

/** A composite type in a virtual subgraph. */
interface VirtualType {
  /** Field set of the key by which representations enter. Absent if they do not enter here. */
  readonly key?: string;
  readonly fields: ReadonlyMap<string, ResolvedField>;
}

/** Key of an object that a connector needs nothing of. */
const TYPENAME = '__typename';

/**
 * Creates the virtual subgraph of a connector. Returns undefined if the parent subgraph does not resolve the field of the connector, because
 * another subgraph has taken it over.
 *
 * @throws ConnectorsInvalid if the connector cannot be entered
 */
export function createVirtualGraph(types: SubgraphTypes, connector: ConnectorFields, hasConnector: HasConnector): VirtualGraph | undefined {
  const { definition } = connector;
  const { type, field } = definition;
  if (types.kindOf(type) === undefined || (field !== undefined && types.fieldOf(type, field) === undefined)) return undefined;
  const { entrances, key } = findEntrances(types, connector, hasConnector);
  const resolved = new Map([...resolveFields(entrances, key)].map(([name, fields]) => [name, new Map(fields)]));
  const { objects, positions } = reachableFrom([...entrances.roots, ...entrances.entities]);
  const fieldsIn = (name: string): Map<string, ResolvedField> => {
    let fields = resolved.get(name);
    if (fields === undefined) resolved.set(name, (fields = new Map()));
    return fields;
  };
  for (const position of positions) {
    const fields = fieldsIn(position.type);
    for (const name of position.common) fields.set(name, { isExternal: false });
  }
  for (const { type: name } of objects) for (const implemented of types.interfacesOf(name)) fieldsIn(implemented);
  for (const entity of entrances.entities) {
    addKeyFields(types, fieldsIn, entity.type, key);
    addRequired(types, fieldsIn, entity);
  }
  const keyed = new Set([...entrances.entities.map((entity) => entity.type), ...interfacesWithKeys(types, positions, entrances)]);
  const text = key.size === 0 ? TYPENAME : printFieldTree(key);
  const isRoot = entrances.roots.length > 0;
  return {
    virtual: {
      name: nameOf(definition),
      connector: definition,
      entry: keyed.size === 0 ? 'root' : isRoot ? 'both' : 'entities',
      keys: keyed.size === 0 ? [] : [parseKey(text)],
      ...(field === undefined || isRoot ? {} : requiresOf(types, type, key)),
      ...interfaceObjectsOf(types, resolved.keys()),
    },
    types: new Map([...resolved].map(([name, fields]) => [name, { fields, ...(keyed.has(name) ? { key: text } : {}) }])),
    others: collectOthers(types, resolved),
  };
}

/** Coordinate of a connector: `Query.book`, or `Book` for a connector on a type. */
export function coordinateOf({ type, field }: Pick<ConnectorDefinition, 'type' | 'field'>): string {
  return field === undefined ? type : `${type}.${field}`;
}

function nameOf(definition: ConnectorDefinition): string {
  const { subgraph, index } = definition;
  return `${subgraph}:${coordinateOf(definition)}${index === 0 ? '' : `#${index + 1}`}`;
}

interface EnteredBy {
  readonly entrances: Entrances;
  readonly key: FieldTree;
}

function findEntrances(types: SubgraphTypes, { definition, mapped, inputs }: ConnectorFields, hasConnector: HasConnector): EnteredBy {
  const { type, field, isEntity } = definition;
  const { positionOf, objectWith } = createPositions(types, hasConnector);
  const reader = { types, coordinate: coordinateOf(definition) };
  if (field === undefined) {
    const position = positionOf(type, mapped.length === 0 ? undefined : mapped);
    return { entrances: { roots: [], entities: [...position.objects.values()] }, key: inputsOfObject(reader, type, inputs) };
  }
  const owner = objectWith(type, field, mapped);
  const operation = types.roots.get(type);
  if (operation === undefined) return { entrances: { roots: [], entities: [owner] }, key: inputsOfObject(reader, type, inputs) };
  if (!isEntity || operation !== OperationTypeNode.QUERY) return { entrances: { roots: [owner], entities: [] }, key: new Map() };
  const declared = types.fieldOf(type, field);
  const result = owner.fields.get(field);
  const key = declared === undefined || result === undefined ? undefined : inputsOfArguments(reader, result.type, declared, inputs);
  if (result === undefined || key === undefined || key.size === 0) {
    throw new ConnectorsInvalid(
      `The connector of ${reader.coordinate} has "entity: true", but the field has no argument with the name of a field of the type that ` +
        'it returns. Rename an argument, or remove "entity: true".',
    );
  }
  return { entrances: { roots: [owner], entities: [...result.objects.values()] }, key };
}

/**
 * Returns the interfaces with `@key` by which objects of unknown types enter. Subgraphs that define an interface as an object have such
 * objects.
 */
function interfacesWithKeys(types: SubgraphTypes, positions: readonly MappedPosition[], { entities }: Entrances): readonly string[] {
  const entered = positions.filter(({ objects }) => [...objects.values()].some((object) => entities.includes(object)));
  return entered.flatMap(({ type }) => {
    return types.joinedTypes(type).some((directive) => argumentsOf(directive)['key'] !== undefined) ? [type] : [];
  });
}

/** Adds the fields of a key that the connector does not map. The virtual subgraph receives them, but does not resolve them. */
function addKeyFields(types: SubgraphTypes, fieldsIn: (type: string) => Map<string, ResolvedField>, type: string, key: FieldTree): void {
  const fields = fieldsIn(type);
  for (const [name, inside] of key) {
    if (!fields.has(name)) fields.set(name, { isExternal: true });
    if (inside.size === 0) continue;
    const field = types.fieldOf(type, name);
    for (const object of types.possibleTypes(field?.namedType ?? '')) addKeyFields(types, fieldsIn, object, inside);
  }
}

/**
 * Returns `@requires` of the fields that are resolved where representations enter, so that they are requested after the required fields.
 * Elsewhere the response contains the field, and no representation is sent.
 */
function addRequired(types: SubgraphTypes, fieldsIn: (type: string) => Map<string, ResolvedField>, { type, fields }: MappedObject): void {
  for (const name of fields.keys()) {
    const { requires } = argumentsOf(types.fieldOf(type, name)?.joined);
    const own = fieldsIn(type).get(name);
    if (typeof requires !== 'string' || own === undefined) continue;
    fieldsIn(type).set(name, { ...own, requires: own.requires === undefined ? requires : `${own.requires} ${requires}` });
    addKeyFields(types, fieldsIn, type, treeOf(parseKey(requires)));
  }
}

function treeOf({ selections }: SelectionSetNode): FieldTree {
  return new Map(
    selections.flatMap((node): [string, FieldTree][] => {
      if (node.kind === Kind.INLINE_FRAGMENT) return [...treeOf(node.selectionSet)];
      if (node.kind !== Kind.FIELD) return [];
      return [[node.name.value, node.selectionSet === undefined ? new Map() : treeOf(node.selectionSet)]];
    }),
  );
}

/** Returns the fields of a key that no `@key` of the type contains. */
function requiresOf(types: SubgraphTypes, type: string, key: FieldTree): Pick<VirtualSubgraph, 'requires'> {
  const explicit = types.joinedTypes(type).map((directive) => argumentsOf(directive)['key']);
  const identifying = explicit.flatMap((text) => (typeof text === 'string' ? parseKey(text).selections : []));
  const names = new Set(identifying.flatMap((node) => (node.kind === Kind.FIELD ? [node.name.value] : [])));
  const others = new Map([...key].filter(([name]) => !names.has(name)));
  return others.size === 0 ? {} : { requires: parseKey(printFieldTree(others)) };
}

function interfaceObjectsOf(types: SubgraphTypes, names: Iterable<string>): Pick<VirtualSubgraph, 'interfaceObjects'> {
  const found = [...names].filter((name) => {
    return types.definitions.get(name)?.kind === Kind.INTERFACE_TYPE_DEFINITION && types.kindOf(name) === 'object';
  });
  return found.length === 0 ? {} : { interfaceObjects: new Set(found) };
}

function parseKey(text: string): SelectionSetNode {
  const [operation] = parse(`{${text}}`, { noLocation: true }).definitions;
  return (operation as OperationDefinitionNode).selectionSet;
}

/** Collects the types of leaves and arguments, with the types inside input objects. */
function collectOthers(types: SubgraphTypes, resolved: ReadonlyMap<string, ReadonlyMap<string, ResolvedField>>): ReadonlySet<string> {
  const others = new Set<string>();
  const add = (type: string): void => {
    const kind = types.kindOf(type);
    if ((kind !== 'leaf' && kind !== 'input') || others.has(type)) return;
    others.add(type);
    const definition = types.definitions.get(type);
    if (definition?.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return;
    for (const field of definition.fields ?? []) add(namedTypeOf(field.type));
  };
  for (const [type, fields] of resolved) {
    for (const name of fields.keys()) {
      const field = types.fieldOf(type, name);
      if (field === undefined) continue;
      add(field.namedType);
      for (const argument of field.arguments) add(namedTypeOf(argument.type));
    }
  }
  return others;
}
