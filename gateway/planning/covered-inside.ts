import type { FederatedType } from '../supergraph/federated-graph.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Source, entryPoints, hasRequirements, providedInside, resolverOf, subgraphsNaming } from './resolvable.ts';
import { examplesOf, wantedOf } from './wanted-by-type.ts';
import type { WantedField } from './wanted-fields.ts';

/**
 * Tells whether some subgraphs that resolve a field have, together, all that is wanted inside of it, or lead to entities of which the rest can be
 * asked for by key.
 */
export function isCoveredInside(
  scope: PlanningScope,
  sources: readonly Source[],
  type: FederatedType,
  { node, selectionSets }: WantedField,
): boolean {
  const name = node.name.value;
  const inside = scope.graph.types.get(type.fields.get(name)?.namedType ?? '');
  if (inside === undefined) return true;
  const within = sources.flatMap((source): readonly Source[] => {
    const resolver = resolverOf(scope, type, name, source);
    if (resolver === undefined) return [];
    const provides = [
      ...providedInside(scope.graph, type, name, source.provides),
      ...(resolver.provides === undefined ? [] : [resolver.provides]),
    ];
    return [{ subgraph: source.subgraph, provides }];
  });
  const names = inside.kind === 'object' || inside.publicTypes.size === 0 ? [inside.name] : inside.publicTypes;
  return examplesOf(scope, wantedOf(scope, names, selectionSets)).every(({ name: typename, wanted }) => {
    const possible = scope.graph.types.get(typename);
    return possible === undefined || wanted.fields.every((field) => isCovered(scope, within, possible, field));
  });
}

function isCovered(scope: PlanningScope, sources: readonly Source[], type: FederatedType, field: WantedField): boolean {
  const name = field.node.name.value;
  const canBeEntered = subgraphsNaming(scope.graph, type, name).some((subgraph) => entryPoints(scope.graph, type, subgraph).length > 0);
  if (canBeEntered) return true;
  const resolving = sources.filter((source) => {
    const resolver = resolverOf(scope, type, name, source);
    return resolver !== undefined && !hasRequirements(resolver);
  });
  return resolving.length > 0 && isCoveredInside(scope, resolving, type, field);
}
