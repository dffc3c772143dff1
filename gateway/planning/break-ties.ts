import { isJointSource } from './joint-source.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Position, presenceAt, subgraphsAt } from './positions.ts';
import type { OpenFields, PricedChoice } from './priced-choice.ts';
import { plainSource, requirementsOf, subgraphsNaming } from './resolvable.ts';
import type { Route } from './route.ts';
import { NOTHING_AVOIDED, findRoutes, isPlain, levelOfRoute } from './routes.ts';
import { type WantedField, collectDeclared, collectWanted } from './wanted-fields.ts';

/** Two choices, and data that decides between them. */
export interface Comparison {
  readonly one: PricedChoice;
  readonly other: PricedChoice;
  readonly routes: ReadonlyMap<string, Route>;
  readonly facts: TieFacts;
}

/** Counts by subgraph that decide between equal choices. They are computed at most once for a choice. */
export interface TieFacts {
  /** Inputs of open fields that the subgraph returns. */
  readonly inputs: () => ReadonlyMap<string, number>;
  /** Fields inside planned values that the subgraph can return in the same request. */
  readonly further: () => ReadonlyMap<string, number>;
}

/** Creates the counts for the open fields of a position. */
export function createTieFacts(scope: PlanningScope, position: Position, { fields, inside }: OpenFields): TieFacts {
  let inputs: ReadonlyMap<string, number> | undefined;
  let further: ReadonlyMap<string, number> | undefined;
  let joint: readonly string[] | undefined;
  const sourcesOf = (field: string): readonly string[] => {
    joint ??= scope.isJoining ? subgraphsAt(scope.graph, position).filter(isJointSource) : [];
    return [...subgraphsNaming(scope.graph, position.type, field), ...joint];
  };
  return {
    inputs: () => (inputs ??= countInputs(scope, position, fields, sourcesOf)),
    further: () => (further ??= countFurther(scope, position, inside(), sourcesOf)),
  };
}

/**
 * Returns whether the first of two choices with the same number of fetches is preferable. Compares, in this order: the level of the last
 * nested fetch, the level of the request, the price, the number of fields, the chance to join another request, and the additional fields
 * that the request can fetch.
 */
export function isRather(scope: PlanningScope, position: Position, { one, other, routes, facts }: Comparison): boolean {
  const [own, its] = [one, other].map(({ subgraph }) => whenSent(scope, position, subgraph, routes.get(subgraph)));
  if (own === undefined || its === undefined) return false;
  const [end, otherEnd] = [own.level + one.depth, its.level + other.depth];
  if ((one.depth > 0 || other.depth > 0) && end !== otherEnd) return end < otherEnd;
  const [first, second] = [levelAt(scope, position, one.subgraph), levelAt(scope, position, other.subgraph)];
  if (first !== second) return first < second;
  if (one.price !== other.price) return one.price < other.price;
  if (one.chosen.length !== other.chosen.length) return one.chosen.length > other.chosen.length;
  if (own.isJoined !== its.isJoined) return own.isJoined;
  if (own.level !== its.level) return own.level < its.level;
  const difference = (counts: ReadonlyMap<string, number>): number => (counts.get(one.subgraph) ?? 0) - (counts.get(other.subgraph) ?? 0);
  const moreInputs = difference(facts.inputs());
  if (moreInputs !== 0) return moreInputs > 0;
  const moreAlongside = countAlongside(scope, position, one.subgraph) - countAlongside(scope, position, other.subgraph);
  return moreAlongside === 0 ? difference(facts.further()) > 0 : moreAlongside > 0;
}

/** Counts the fields inside planned values that no subgraph provides yet, by the subgraphs that could return them in the same request. */
function countFurther(
  scope: PlanningScope,
  position: Position,
  inside: ReturnType<OpenFields['inside']>,
  sourcesOf: (field: string) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [{ type, field, presences }, selectionSets] of inside) {
    if (type.kind !== 'object' || field === undefined) continue;
    const further = sourcesOf(field.name.value).filter(
      (subgraph) => !presences.has(subgraph) && isPlain(scope, position.type, field.name.value, plainSource(subgraph)),
    );
    if (further.length === 0) continue;
    for (const { node } of collectWanted(scope, type.name, selectionSets).fields) {
      const name = node.name.value;
      if ([...presences.values()].some((presence) => isPlain(scope, type, name, presence))) continue;
      for (const subgraph of further) if (isPlain(scope, type, name, plainSource(subgraph))) countOne(counts, subgraph);
    }
  }
  return counts;
}

function countOne(counts: Map<string, number>, subgraph: string): void {
  counts.set(subgraph, (counts.get(subgraph) ?? 0) + 1);
}

/** Counts the inputs of unplanned fields by the subgraphs that could return them in the same request. */
function countInputs(
  scope: PlanningScope,
  { type }: Position,
  fields: readonly WantedField[],
  sourcesOf: (field: string) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { node } of fields) {
    const requires = requirementsOf(scope.graph, type, node.name.value);
    for (const input of requires.flatMap((selectionSet) => collectDeclared(scope, type.name, selectionSet))) {
      const name = input.node.name.value;
      for (const subgraph of sourcesOf(name)) {
        if (isPlain(scope, type, name, plainSource(subgraph))) countOne(counts, subgraph);
      }
    }
  }
  return counts;
}

/**
 * Counts the fields of other types at the same position that no subgraph provides yet and that this subgraph could return in the same
 * request.
 */
function countAlongside(scope: PlanningScope, { whole, types }: Position, subgraph: string): number {
  let count = 0;
  for (const { type, names, fields } of whole === undefined ? [] : (scope.classes.get(whole) ?? [])) {
    if (names.some((name) => types?.includes(name) === true)) continue;
    for (const { node } of fields) {
      const name = node.name.value;
      if ([...(whole?.presences.values() ?? [])].some((presence) => isPlain(scope, type, name, presence))) continue;
      if (isPlain(scope, type, name, plainSource(subgraph))) count += 1;
    }
  }
  return count;
}

/** Returns the level at which a request to a subgraph can be sent, and whether it can be joined with another request. */
function whenSent(
  scope: PlanningScope,
  position: Position,
  subgraph: string,
  route: Route | undefined,
): { level: number; isJoined: boolean } {
  const level = levelOfRoute(scope, position, subgraph, route);
  if (presenceAt(scope.graph, position, subgraph) !== undefined) return { level, isJoined: true };
  if (route?.by === 'parent' && position.parent !== undefined) {
    return whenSent(scope, position.parent, subgraph, findRoutes(scope, position.parent, NOTHING_AVOIDED).get(subgraph));
  }
  const isByKey = route !== undefined && typeof route.by !== 'string' && position.parent !== undefined;
  return { level, isJoined: isByKey && scope.requested.has(subgraph) };
}

/** Returns the level of the request that fetches the values of a position from a subgraph. */
export function levelAt({ graph }: PlanningScope, position: Position, subgraph: string): number {
  return presenceAt(graph, position, subgraph)?.fetch.level ?? Number.POSITIVE_INFINITY;
}
