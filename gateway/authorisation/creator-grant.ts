import { Kind, type SelectionSetNode } from 'graphql';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { FederatedField, FederatedGraph } from '../supergraph/federated-graph.ts';
import type { CreatorGrants } from '../supergraph/read-creator-grants.ts';
import type { Guard } from './requirement.ts';

/** What the caller of a mutation may read, as an owner may, of the object in one place of the mutation's result. */
export interface CreatorGrant {
  /** Differs from that of every other place of a supergraph. */
  readonly id: string;
  /** By name of the field. */
  readonly fields: ReadonlyMap<string, GrantedField>;
}

/** A field with a rule for owners that does not apply, or an object with more granted inside. */
export interface GrantedField extends CreatorGrant {
  /** Whether the field's rules for owners do not apply; those of what is inside always do. */
  readonly isReadable: boolean;
}

/** What is granted of a field; undefined where nothing is. */
export function grantedIn(grant: CreatorGrant | undefined, field: string): GrantedField | undefined {
  return grant?.fields.get(field);
}

/** All rules but those by which owners pass: whoever has just created the object passes as its owner. */
export function withoutOwnerRules(guards: ReadonlyMap<string, readonly Guard[]>): ReadonlyMap<string, readonly Guard[]> {
  return new Map([...guards].map(([type, all]) => [type, all.filter(({ owner }) => owner === undefined)]));
}

/**
 * Compiles `@creatorMayRead` of mutation fields.
 *
 * @returns by coordinate of the mutation field
 * @throws SupergraphInvalid when a grant stands elsewhere, or names what is no plain field with a rule for owners that the subgraph
 *   of the mutation resolves by itself
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
    if (typeName !== mutation || field === undefined) throw ungrantable(coordinate, 'it is no field of the mutation type');
    const subgraphs = [...field.subgraphs.keys()];
    compiled.set(coordinate, compileLevel({ graph, guardsOf, coordinate, subgraphs }, field, selectionSet, coordinate));
  }
  return compiled;
}

interface Compiling {
  readonly graph: FederatedGraph;
  readonly guardsOf: (type: string, field: string) => readonly Guard[];
  readonly coordinate: string;
  /** Those that resolve the mutation. */
  readonly subgraphs: readonly string[];
}

function compileLevel(compiling: Compiling, { namedType }: FederatedField, { selections }: SelectionSetNode, id: string): CreatorGrant {
  const { graph, coordinate } = compiling;
  const type = graph.types.get(namedType);
  if (type?.kind !== 'object') throw ungrantable(coordinate, `${namedType} is no object type`);
  const fields = new Map<string, GrantedField>();
  for (const node of selections) {
    if (node.kind !== Kind.FIELD || node.alias !== undefined || (node.arguments?.length ?? 0) > 0) {
      throw ungrantable(coordinate, 'it has more than names of fields');
    }
    const name = node.name.value;
    const field = type.fields.get(name);
    if (field === undefined) throw ungrantable(coordinate, `${namedType}.${name} does not exist`);
    const place = `${id}.${name}`;
    if (node.selectionSet === undefined) {
      checkReadable(compiling, namedType, field);
      fields.set(name, { id: place, isReadable: true, fields: new Map() });
    } else fields.set(name, { ...compileLevel(compiling, field, node.selectionSet, place), isReadable: false });
  }
  return { id, fields };
}

/** Another subgraph would be asked for the field of an object of which it does not know that the caller has created it. */
function checkReadable({ graph, guardsOf, coordinate, subgraphs }: Compiling, type: string, field: FederatedField): void {
  const name = `${type}.${field.name}`;
  if (graph.types.has(field.namedType)) throw ungrantable(coordinate, `${name} is an object and no leaf`);
  if (!guardsOf(type, field.name).some(({ owner }) => owner !== undefined)) {
    throw ungrantable(coordinate, `${name} has no rule with \`orOwner\``);
  }
  const isResolvedThere = subgraphs.every((subgraph) => field.subgraphs.get(subgraph)?.isExternal === false);
  if (!isResolvedThere) throw ungrantable(coordinate, `the subgraph of the mutation does not resolve ${name}`);
}

function ungrantable(coordinate: string, reason: string): SupergraphInvalid {
  return new SupergraphInvalid(
    `The supergraph cannot be served: @creatorMayRead of ${coordinate} cannot be granted: ${reason}. ` +
      'Name plain fields with @auth(orOwner:) of the object that the mutation creates, as "user { email }".',
  );
}
