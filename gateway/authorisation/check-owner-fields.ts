import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { Guard } from './requirement.ts';
import { unresolved } from './to-requirement.ts';

/**
 * Holds `orOwner` against the types: it must name a field with one leaf, of the object that the rule guards.
 *
 * @param guards by coordinate, with those that were inherited from interfaces
 * @throws SupergraphInvalid
 */
export function checkOwnerFields(graph: FederatedGraph, guards: ReadonlyMap<string, readonly Guard[]>): void {
  const roots = new Set(Object.values(graph.roots));
  for (const [coordinate, all] of guards) {
    const [typeName = ''] = coordinate.split('.');
    for (const { owner } of all) if (owner !== undefined) checkOwnerField(graph, { coordinate, typeName, owner }, roots);
  }
}

interface OwnedPlace {
  readonly coordinate: string;
  readonly typeName: string;
  readonly owner: string;
}

function checkOwnerField({ types }: FederatedGraph, { coordinate, typeName, owner }: OwnedPlace, roots: ReadonlySet<string>): void {
  const type = types.get(typeName);
  if (roots.has(typeName)) {
    throw unresolved(coordinate, `orOwner names a field of the guarded object, and ${typeName} is none; the subgraph must check ownership`);
  }
  if (type === undefined || type.kind === 'union') throw unresolved(coordinate, `orOwner needs an object, and ${typeName} is none`);
  // Each implementation is looked at for itself, with the rules that it inherits.
  if (type.kind === 'interface' && type.possibleTypes.size > 0) return;
  const problem = problemOf(type, owner, types);
  if (problem !== undefined) throw unresolved(coordinate, problem);
}

function problemOf({ name, fields }: FederatedType, owner: string, types: FederatedGraph['types']): string | undefined {
  const field = fields.get(owner);
  if (field === undefined) return `orOwner names ${name}.${owner}, which does not exist`;
  if (field.type.includes('[')) return `orOwner names ${name}.${owner}, which is a list`;
  if (types.has(field.namedType)) return `orOwner names ${name}.${owner}, which is an object and no leaf`;
  if (field.hasRequiredArguments) return `orOwner names ${name}.${owner}, which takes arguments`;
  return undefined;
}
