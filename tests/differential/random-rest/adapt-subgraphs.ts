import { Kind, type SelectionSetNode } from 'graphql';
import { type FieldFacts, readFacts, type SubgraphText } from '../random-federation/read-facts.ts';
import { possibleIn } from '../random-federation/world-fields.ts';
import { decide } from './decisions.ts';
import { drawConnectors, type RestConnector } from './draw-connectors.ts';
import { UnselectableField } from './draw-value.ts';
import { lookUpsOf } from './look-ups.ts';
import {
  type Coordinate,
  addLookUps,
  isSelectedInside,
  leaveToOthers,
  withoutUnusedExternals,
  retype,
  withoutArguments,
  withoutSelectedArguments,
} from './change-sdl.ts';
import { namedIn, type RestObject, type RestValue } from './rest-value.ts';
import { createSubgraphModel, isRoot, type SubgraphModel } from './subgraph-model.ts';

/**
 * Features that connectors cannot express, so that a subgraph with one of them remains a GraphQL server:
 *
 * - `context`: `@context` and `@fromContext`.
 * - `fragment in @requires`: a mapping reads required fields by their names (`$this`), whatever the type of their object is.
 * - `argument in @requires`: `$this` has no arguments. Optional ones are removed.
 * - `circular type`: no selection can contain a type within itself, and an interface without object types has no selection. The field becomes a string, unless a field set selects inside of it.
 * - `no common type`: subgraphs that share a field have no common type for its value. A GraphQL server reports an error for the field, and a
 *   REST service fails as a whole.
 * - `part of an interface`: an object type that only `@requires` mentions, and that implements an interface.
 */
const LIMITS = [
  'context',
  'fragment in @requires',
  'argument in @requires',
  'circular type',
  'no common type',
  'part of an interface',
] as const;

export type Limit = (typeof LIMITS)[number];

/** Subgraphs of a graph, and which of them connectors can express. */
export interface AdaptedSubgraphs {
  readonly subgraphs: readonly SubgraphText[];
  /** Names of the subgraphs that become REST services. */
  readonly rest: readonly string[];
  /** Reasons why others remain GraphQL servers. */
  readonly limits: readonly Limit[];
}

/** Probability that a subgraph becomes a REST service, if it can. */
const IS_REST = 0.75;

/** A change of all subgraphs, or the reason why a subgraph remains a GraphQL server. */
type Obstacle = { readonly limit: Limit } | { readonly subgraphs: readonly SubgraphText[] };

/**
 * Chooses the subgraphs that become REST services, and changes the graph where they need it: connectors cannot express arguments of a field
 * of an object without a key, and types that contain themselves. The changed graph is as valid for GraphQL subgraphs.
 */
export function adaptSubgraphs(given: readonly SubgraphText[], seed: number): AdaptedSubgraphs {
  let subgraphs = given;
  const limits: Limit[] = [];
  const chosen = given.filter(({ name }) => decide(seed, name, 'is REST').chance(IS_REST)).map(({ name }) => name);
  const rest = new Set(chosen.length === 0 ? given.slice(0, 1).map(({ name }) => name) : chosen);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const name of rest) {
      const obstacle = findObstacle(subgraphs, name, seed);
      if (obstacle === undefined) continue;
      isDone = false;
      if ('limit' in obstacle) {
        limits.push(obstacle.limit);
        rest.delete(name);
      } else subgraphs = obstacle.subgraphs;
    }
  }
  const adapted = subgraphs.map((subgraph) => (rest.has(subgraph.name) ? withLookUps(subgraph, seed) : subgraph));
  return { subgraphs: adapted.map(withoutUnusedExternals), rest: [...rest], limits };
}

function withLookUps(subgraph: SubgraphText, seed: number): SubgraphText {
  return addLookUps(subgraph, [...lookUpsOf(createSubgraphModel(readFacts(subgraph), seed)).values()]);
}

export function modelOf(subgraphs: readonly SubgraphText[], name: string, seed: number): SubgraphModel {
  const text = subgraphs.find((subgraph) => subgraph.name === name);
  if (text === undefined) throw new Error(`The subgraph ${name} does not exist.`);
  return createSubgraphModel(readFacts(text), seed);
}

function findObstacle(subgraphs: readonly SubgraphText[], name: string, seed: number): Obstacle | undefined {
  const model = modelOf(subgraphs, name, seed);
  for (const type of model.facts.types.values()) {
    if (type.contexts.length > 0) return { limit: 'context' };
    for (const field of type.fields.values()) {
      if (field.contextArguments.size > 0) return { limit: 'context' };
      if (type.kind === 'object' && !field.isExternal && hasNoCommonType(subgraphs, type.name, field)) return { limit: 'no common type' };
      const at: Coordinate = { type: type.name, field: field.name };
      const hasKey = isRoot(type.name) || model.resolvableKeys(type.name).length > 0;
      if (type.kind === 'object' && !hasKey && !field.isExternal && field.argumentNames.length > 0) {
        return { subgraphs: withoutArguments(subgraphs, at) };
      }
      if (field.requires === undefined) continue;
      if (someSelection(field.requires, (kind) => kind === Kind.INLINE_FRAGMENT)) return { limit: 'fragment in @requires' };
      if (!someSelection(field.requires, (_kind, hasArguments) => hasArguments)) continue;
      const changed = withoutSelectedArguments(subgraphs, name, at);
      return changed === undefined ? { limit: 'argument in @requires' } : { subgraphs: changed };
    }
  }
  return findInConnectors(
    subgraphs,
    modelOf(
      subgraphs.map((subgraph) => withLookUps(subgraph, seed)),
      name,
      seed,
    ),
  );
}

/** Returns whether the subgraphs that share a field have no common object type for its value. */
function hasNoCommonType(subgraphs: readonly SubgraphText[], type: string, { name, type: declared }: FieldFacts): boolean {
  const named = namedIn(declared);
  const all = subgraphs.map(readFacts);
  if (all.every(({ types }) => (types.get(named)?.kind ?? 'object') === 'object')) return false;
  const possible = all.flatMap((facts) => {
    const field = facts.types.get(type)?.fields.get(name);
    const found = field === undefined || field.isExternal ? undefined : possibleIn(facts, named);
    return found === undefined ? [] : [found];
  });
  const [first = [], ...others] = possible;
  return possible.length > 0 && !first.some((one) => others.every((other) => other.includes(one)));
}

function findInConnectors(subgraphs: readonly SubgraphText[], model: SubgraphModel): Obstacle | undefined {
  try {
    return findUnreached(subgraphs, model, drawConnectors(model));
  } catch (error) {
    if (!(error instanceof UnselectableField)) throw error;
    return isSelectedInside(subgraphs, error) ? { limit: 'circular type' } : { subgraphs: retype(subgraphs, error) };
  }
}

/** Finds an object type that no connector returns: only field sets mention it. Other subgraphs must resolve all of its fields. */
function findUnreached(
  subgraphs: readonly SubgraphText[],
  { facts, resolvableKeys }: SubgraphModel,
  connectors: readonly RestConnector[],
): Obstacle | undefined {
  const reached = new Set(connectors.flatMap(({ value, type }) => [type.name, ...typesIn(value)]));
  for (const type of facts.types.values()) {
    if (type.kind !== 'object' || isRoot(type.name) || reached.has(type.name) || resolvableKeys(type.name).length > 0) continue;
    if ([...type.fields.values()].every(({ isExternal }) => isExternal)) continue;
    if (type.interfaces.length > 0) return { limit: 'part of an interface' };
    return { subgraphs: leaveToOthers(subgraphs, facts.name, type.name) };
  }
  return undefined;
}

function typesIn(value: RestValue): readonly string[] {
  if (value.kind === 'leaf') return [];
  const objects: readonly RestObject[] = value.kind === 'object' ? [value.object] : value.members.map(({ object }) => object);
  return objects.flatMap(({ type, fields }) => [type].concat(fields.flatMap((field) => typesIn(field.value))));
}

/** Whether some selection, at any depth, satisfies a condition. */
function someSelection({ selections }: SelectionSetNode, test: (kind: Kind, hasArguments: boolean) => boolean): boolean {
  return selections.some((selection) => {
    const hasArguments = selection.kind === Kind.FIELD && (selection.arguments ?? []).length > 0;
    if (test(selection.kind, hasArguments)) return true;
    return selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined && someSelection(selection.selectionSet, test);
  });
}
