import { Kind, type SelectionSetNode } from 'graphql';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { FederatedField, FederatedGraph } from '../supergraph/federated-graph.ts';
import type { CreatorGrants } from '../supergraph/read-creator-grants.ts';
import type { Guard } from './requirement.ts';

/** Fields that the caller of a mutation may read as an owner, for the object at one position of the mutation's result. */
export interface CreatorGrant {
  /** Identifier that is unique for each position in a supergraph. */
  readonly id: string;
  /** Granted fields by name. */
  readonly fields: ReadonlyMap<string, GrantedField>;
}

/** A field whose rule for owners does not apply, or an object with nested grants. */
export interface GrantedField extends CreatorGrant {
  /** Whether the field's rules for owners do not apply. Those of nested fields always apply. */
  readonly isReadable: boolean;
}

/** Returns the grant for a field, or undefined if it does not exist. */
export function grantedIn(grant: CreatorGrant | undefined, field: string): GrantedField | undefined {
  return grant?.fields.get(field);
}

/** Removes the rules that owners pass, because the caller who created the object passes them as its owner. */
export function withoutOwnerRules(guards: ReadonlyMap<string, readonly Guard[]>): ReadonlyMap<string, readonly Guard[]> {
  return new Map([...guards].map(([type, all]) => [type, all.filter(({ owner }) => owner === undefined)]));
}

/**
 * Compiles `@creatorMayRead` of mutation fields.
 *
 * @returns grants by coordinate of the mutation field
 * @throws SupergraphInvalid when a grant is not on a mutation field, or names an unsuitable field. A granted field must be a plain field
 * with a rule for owners, and the subgraph of the mutation must resolve it.
 */
export function compileCreatorGrants(
  graph: FederatedGraph,
  grants: CreatorGrants,
  guardsOf: (type: string, field: string) => readonly Guard[],
): ReadonlyMap<string, CreatorGrant> {
  const compiled = new Map<string, CreatorGrant>();
  const { mutation = '' } = graph.roots;
  for (const [coordinate, selectionSet] of grants) {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const field = graph.types.get(mutation)?.fields.get(fieldName);
    if (typeName !== mutation || field === undefined) throw ungrantable(coordinate, 'it is not a field of the mutation type');
    const subgraphs = [...field.subgraphs.keys()];
    compiled.set(coordinate, compileLevel({ graph, guardsOf, coordinate, subgraphs }, field, selectionSet, coordinate));
  }
  return compiled;
}

interface Compiling {
  readonly graph: FederatedGraph;
  readonly guardsOf: (type: string, field: string) => readonly Guard[];
  readonly coordinate: string;
  /** Subgraphs that resolve the mutation. */
  readonly subgraphs: readonly string[];
}

function compileLevel(compiling: Compiling, { namedType }: FederatedField, { selections }: SelectionSetNode, id: string): CreatorGrant {
  const { graph, coordinate } = compiling;
  const type = graph.types.get(namedType);
  if (type?.kind !== 'object') throw ungrantable(coordinate, `${namedType} is not an object type`);
  const fields = new Map<string, GrantedField>();
  for (const node of selections) {
    if (node.kind !== Kind.FIELD || node.alias !== undefined || (node.arguments?.length ?? 0) > 0) {
      throw ungrantable(coordinate, 'it contains fragments, aliases or arguments');
    }
    const name = node.name.value;
    const field = type.fields.get(name);
    if (field === undefined) throw ungrantable(coordinate, `${namedType}.${name} does not exist`);
    const position = `${id}.${name}`;
    if (node.selectionSet === undefined) {
      checkReadable(compiling, namedType, field);
      fields.set(name, { id: position, isReadable: true, fields: new Map() });
    } else fields.set(name, { ...compileLevel(compiling, field, node.selectionSet, position), isReadable: false });
  }
  return { id, fields };
}

/** Another subgraph would have to fetch the field, without the information that the caller created the object. */
function checkReadable({ graph, guardsOf, coordinate, subgraphs }: Compiling, type: string, field: FederatedField): void {
  const name = `${type}.${field.name}`;
  if (graph.types.has(field.namedType)) throw ungrantable(coordinate, `${name} is an object instead of a leaf`);
  if (!guardsOf(type, field.name).some(({ owner }) => owner !== undefined)) {
    throw ungrantable(coordinate, `${name} has no rule with \`orOwner\``);
  }
  const isResolvedThere = subgraphs.every((subgraph) => field.subgraphs.get(subgraph)?.isExternal === false);
  if (!isResolvedThere) throw ungrantable(coordinate, `the subgraph of the mutation does not resolve ${name}`);
}

function ungrantable(coordinate: string, reason: string): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: @creatorMayRead of ${coordinate} cannot be granted: ${reason}. ` +
      'Name only fields with @auth(orOwner:) of the object that the mutation creates, for example "user { email }".',
  );
}
