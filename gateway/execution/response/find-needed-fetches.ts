import type { DataKey } from '../data/own-properties.ts';
import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { type BroughtPlace, findBrought } from './brought-places.ts';
import type { ObjectShape, ValueShape } from './response-shape.ts';

/** For each `@defer`, the fetches that must be over before its fragment is printed, by their places in the plan. */
export type NeededFetches = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * A fragment waits for the fetches that are for it, and for those for others that bring some of its fields along: two fragments may ask
 * for the same.
 *
 * @param count how many `@defer` there are
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
 * Calls `found` with each fetch that brings a field of a deferred fragment, or something inside of it. Shapes that several places share are visited
 * once for each place at which the fetches bring something else.
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
    if (at === undefined) return; // no late fetch brings anything here or inside
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
