import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type OperationTypeNode,
  parseType,
  type TypeDefinitionNode,
} from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { argumentsOf, directivesOf } from '../../directives/directive-locations.ts';
import { isOfGraph, type JoinNames } from './join-directives.ts';

/** A field as one subgraph defines it. */
export interface SubgraphField {
  readonly name: string;
  /** Named type in the subgraph. */
  readonly namedType: string;
  readonly arguments: readonly InputValueDefinitionNode[];
  /** Its `@join__field`; absent if the field belongs to all subgraphs with the type. */
  readonly joined: ConstDirectiveNode | undefined;
}

/** Types of one subgraph of a supergraph. */
export interface SubgraphTypes {
  readonly definitions: ReadonlyMap<string, TypeDefinitionNode>;
  /** Root types of the supergraph by name. */
  readonly roots: ReadonlyMap<string, OperationTypeNode>;
  /**
   * Kind of a type in the subgraph. An interface that the subgraph defines as an object (`@interfaceObject`) is an object. Undefined if the
   * subgraph does not have the type.
   */
  kindOf(type: string): 'object' | 'abstract' | 'leaf' | 'input' | undefined;
  /** Returns a field of a composite type, or undefined if the subgraph does not have it. */
  fieldOf(type: string, field: string): SubgraphField | undefined;
  /** Names of all fields that the subgraph has. */
  fieldsOf(type: string): readonly string[];
  /** Object types of the values of a composite type. */
  possibleTypes(type: string): readonly string[];
  /** Interfaces that an object type or an interface implements in the subgraph. */
  interfacesOf(type: string): readonly string[];
  /** Uses of `@join__type` for the subgraph. */
  joinedTypes(type: string): readonly ConstDirectiveNode[];
}

/** Returns the definitions of types by name. */
export function definitionsByName(document: DocumentNode): ReadonlyMap<string, TypeDefinitionNode> {
  return new Map(document.definitions.flatMap((node) => (isTypeDefinition(node) ? [[node.name.value, node] as const] : [])));
}

/** Returns the root types of a schema by name. */
export function rootsOf({ definitions }: DocumentNode): ReadonlyMap<string, OperationTypeNode> {
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION);
  return new Map(schema?.operationTypes.map(({ type, operation }) => [type.name.value, operation]) ?? []);
}

/**
 * Reads the types of one subgraph.
 *
 * @param graph value of the subgraph in the enum of graphs
 */
export function readSubgraphTypes(
  { definitions, roots }: Pick<SubgraphTypes, 'definitions' | 'roots'>,
  names: JoinNames,
  graph: string,
): SubgraphTypes {
  const fields = new Map<string, ReadonlyMap<string, SubgraphField>>();

  const joinedTypes = (type: string): readonly ConstDirectiveNode[] => {
    const definition = definitions.get(type);
    return definition === undefined ? [] : directivesOf(definition, names.type).filter((directive) => isOfGraph(directive, graph));
  };

  const isInterfaceObject = (type: string): boolean =>
    joinedTypes(type).some((directive) => argumentsOf(directive)['isInterfaceObject'] === true);

  function fieldsIn(type: string): ReadonlyMap<string, SubgraphField> {
    let known = fields.get(type);
    if (known === undefined) {
      const definition = definitions.get(type);
      const all = definition !== undefined && 'fields' in definition ? (definition.fields ?? []) : [];
      const isHere = joinedTypes(type).length > 0;
      known = new Map(all.flatMap((field) => (isHere && 'arguments' in field ? (readField(field, names, graph) ?? []) : [])));
      fields.set(type, known);
    }
    return known;
  }

  function implementsHere(type: TypeDefinitionNode, name: string): boolean {
    return directivesOf(type, names.implements).some(
      (directive) => isOfGraph(directive, graph) && argumentsOf(directive)['interface'] === name,
    );
  }

  return {
    definitions,
    roots,
    kindOf(type) {
      const kind = definitions.get(type)?.kind;
      if (kind === undefined) return isBuiltInScalar(type) ? 'leaf' : undefined;
      if (joinedTypes(type).length === 0) return undefined;
      if (kind === Kind.OBJECT_TYPE_DEFINITION || isInterfaceObject(type)) return 'object';
      if (kind === Kind.INTERFACE_TYPE_DEFINITION || kind === Kind.UNION_TYPE_DEFINITION) return 'abstract';
      return kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? 'input' : 'leaf';
    },
    fieldOf: (type, field) => fieldsIn(type).get(field),
    fieldsOf: (type) => [...fieldsIn(type).keys()],
    possibleTypes(type) {
      const definition = definitions.get(type);
      if (definition?.kind === Kind.UNION_TYPE_DEFINITION) {
        const members = directivesOf(definition, names.unionMember).filter((directive) => isOfGraph(directive, graph));
        return members.map((directive) => String(argumentsOf(directive)['member']));
      }
      if (definition?.kind !== Kind.INTERFACE_TYPE_DEFINITION || isInterfaceObject(type)) return [type];
      const objects = [...definitions.values()].filter(
        (other) => other.kind === Kind.OBJECT_TYPE_DEFINITION && implementsHere(other, type),
      );
      return objects.map(({ name }) => name.value);
    },
    interfacesOf(type) {
      const definition = definitions.get(type);
      const directives = definition === undefined ? [] : directivesOf(definition, names.implements);
      return directives.filter((directive) => isOfGraph(directive, graph)).map((directive) => String(argumentsOf(directive)['interface']));
    },
    joinedTypes,
  };
}

function readField(node: FieldDefinitionNode, names: JoinNames, graph: string): readonly (readonly [string, SubgraphField])[] | undefined {
  const all = directivesOf(node, names.field);
  const joined = all.find((directive) => isOfGraph(directive, graph));
  if (all.length > 0 && joined === undefined) return undefined;
  const { type } = argumentsOf(joined);
  const declared = typeof type === 'string' ? parseType(type, { noLocation: true }) : node.type;
  const name = node.name.value;
  return [[name, { name, namedType: namedTypeOf(declared), arguments: node.arguments ?? [], joined }]];
}

function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION ||
    node.kind === Kind.INTERFACE_TYPE_DEFINITION ||
    node.kind === Kind.UNION_TYPE_DEFINITION ||
    node.kind === Kind.ENUM_TYPE_DEFINITION ||
    node.kind === Kind.SCALAR_TYPE_DEFINITION ||
    node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
  );
}

const BUILT_IN: ReadonlySet<string> = new Set(['Boolean', 'Float', 'ID', 'Int', 'String']);

function isBuiltInScalar(type: string): boolean {
  return BUILT_IN.has(type);
}
