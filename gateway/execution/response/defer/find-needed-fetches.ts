import type { DataKey } from '../../data/own-properties.ts';
import type { AnswerPlan, CompiledFetch, CompiledPlan, MergeField, PathStep } from '../../plan/compiled-plan.ts';
import type { ObjectShape, ValueShape } from '../shape/response-shape.ts';

/** A position of the tree, or several positions to which the same fetches contribute. */
interface BroughtPlace {
  /** Identifier, equal for equal positions. */
  readonly id: number;
  /** Indices of the fetches that contribute the value at this position. */
  readonly fetches: readonly number[];
  /** Returns the position of a data key; undefined when no fetch contributes to it or to anything inside it. */
  inside(key: string): BroughtPlace | undefined;
}

/** Fields of a subgraph result at one position. */
interface Brought {
  readonly fetch: number;
  readonly fields: readonly MergeField[];
}

/** A node in the tree of paths to the target objects of fetches. */
interface Way {
  readonly id: number;
  readonly starts: Brought[];
  readonly inside: Map<string, Way>;
}

/** Finds the positions that fetches contribute to. Fields that several positions of a result share are analyzed once. */
function findBrought(fetches: readonly CompiledFetch[]): BroughtPlace {
  let ways = 0;
  const openWay = (): Way => ({ id: (ways += 1), starts: [], inside: new Map() });
  const start = openWay();
  const add = ({ fields }: AnswerPlan, path: readonly PathStep[], fetch: number): void => {
    let way = start;
    for (const { key } of path) {
      const known = way.inside.get(key.name) ?? openWay();
      way.inside.set(key.name, known);
      way = known;
    }
    way.starts.push({ fetch, fields });
  };
  for (const { index, request } of fetches) {
    const { root, entities } = request;
    if (root !== undefined) add(root, root.target?.path ?? [], index);
    for (const field of entities) for (const path of field.paths) add(field, path, index);
  }
  return createPlaces()(start, [], []);
}

type MakePlace = (way: Way | undefined, brought: readonly Brought[], fetches: readonly number[]) => BroughtPlace;

function createPlaces(): MakePlace {
  const places = new Map<string, BroughtPlace>();
  const numbers = new Map<readonly MergeField[], number>();
  const numberOf = (fields: readonly MergeField[]): number => {
    const number = numbers.get(fields) ?? numbers.size;
    numbers.set(fields, number);
    return number;
  };

  const placeOf: MakePlace = (way, brought, fetches) => {
    const name = JSON.stringify([way?.id, brought.map(({ fetch, fields }) => [fetch, numberOf(fields)]), fetches]);
    let place = places.get(name);
    if (place === undefined) places.set(name, (place = openPlace(places.size, way, brought, fetches)));
    return place;
  };

  function openPlace(id: number, way: Way | undefined, passing: readonly Brought[], fetches: readonly number[]): BroughtPlace {
    const known = new Map<string, BroughtPlace | undefined>();
    const brought = [...passing, ...(way?.starts ?? [])];
    return {
      id,
      fetches,
      inside(key) {
        if (known.has(key)) return known.get(key);
        const found = brought.flatMap(({ fetch, fields }) => {
          const field = fields.find((each) => each.key.name === key);
          return field === undefined ? [] : [{ fetch, fields: field.fields }];
        });
        const inner = found.flatMap(({ fetch, fields }) => (fields === undefined ? [] : [{ fetch, fields }]));
        const further = way?.inside.get(key);
        const isEmpty = found.length === 0 && further === undefined;
        const place = isEmpty ? undefined : placeOf(further, inner, [...new Set(found.map(({ fetch }) => fetch))]);
        known.set(key, place);
        return place;
      },
    };
  }

  return placeOf;
}

/** Indices of the fetches that must be complete before a fragment is printed, by the number of its `@defer`. */
export type NeededFetches = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Finds the fetches that each deferred fragment waits for. These are its own fetches and the fetches of other fragments that also return
 * some of its fields, because two fragments can select the same field.
 *
 * @param count Number of `@defer` directives.
 */
export function findNeededFetches({ fetches }: CompiledPlan, shape: ValueShape, count: number): NeededFetches {
  const needed = new Map<number, Set<number>>();
  for (let deferral = 1; deferral <= count; deferral += 1) {
    needed.set(deferral, new Set(fetches.flatMap((fetch) => (fetch.deferral === deferral ? [fetch.index] : []))));
  }
  const late = fetches.filter(({ deferral }) => deferral > 0);
  if (new Set(late.map(({ deferral }) => deferral)).size === 0 || count === 1) return needed;
  visitFragments(shape, findBrought(late), (deferral, index) => needed.get(deferral)?.add(index));
  return needed;
}

/**
 * Calls `found` with each fetch that contributes a field of a deferred fragment, or a value inside such a field. A shape that several
 * positions share is visited again only where different fetches contribute.
 */
function visitFragments(shape: ValueShape, root: BroughtPlace, found: (deferral: number, fetch: number) => void): void {
  const visited = new Map<ObjectShape, Set<string>>();
  const isFirst = (object: ObjectShape, at: BroughtPlace, deferral: number): boolean => {
    const known = visited.get(object) ?? new Set<string>();
    visited.set(object, known);
    const visit = `${at.id} ${deferral}`;
    return !known.has(visit) && known.add(visit).has(visit);
  };
  const report = (deferral: number, at: BroughtPlace | undefined): void => {
    for (const fetch of at?.fetches ?? []) found(deferral, fetch);
  };
  const reportOwners = (owners: Iterable<DataKey> = [], at: BroughtPlace, deferral: number): void => {
    for (const { name } of owners) report(deferral, at.inside(name));
  };
  const visit = ({ item, objects }: ValueShape, at: BroughtPlace | undefined, deferral: number): void => {
    if (at === undefined) return; // No deferred fetch contributes here or beneath.
    if (item !== undefined) visit(item, at, deferral);
    for (const object of objects?.all() ?? []) {
      if (!isFirst(object, at, deferral)) continue;
      const { fields, deferred, owners } = object;
      if (deferral > 0) reportOwners(owners, at, deferral);
      const inside = deferral > 0 ? fields : (deferred?.ways ?? []);
      for (const { key, value, local, owners: ofField } of inside) {
        if (local !== undefined) continue;
        if (deferral > 0) reportOwners(ofField, at, deferral);
        const way = at.inside(key.name);
        if (deferral > 0) report(deferral, way);
        visit(value, way, deferral);
      }
      for (const { deferral: inner, value, doesStand } of deferred?.fragments ?? []) {
        if (doesStand !== undefined) report(inner, at.inside('__typename'));
        visit(value, at, inner);
      }
    }
  };
  visit(shape, root, 0);
}
