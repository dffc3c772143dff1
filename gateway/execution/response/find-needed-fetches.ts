import type { DataKey } from '../data/own-properties.ts';
import type { AnswerPlan, CompiledFetch, CompiledPlan, MergeField, PathStep } from '../plan/compiled-plan.ts';
import type { ValueShape } from './response-shape.ts';

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
  const bringers = findBringers(late);
  visitFragments(shape, '', (deferral, path) => {
    for (const index of bringers.get(path) ?? []) needed.get(deferral)?.add(index);
  });
  return needed;
}

/** By paths of data keys, joined by `/`: the fetches that bring the values there. */
function findBringers(fetches: readonly CompiledFetch[]): ReadonlyMap<string, readonly number[]> {
  const bringers = new Map<string, number[]>();
  const visit = (fields: readonly MergeField[], path: string, index: number): void => {
    for (const { key, fields: inner } of fields) {
      const inside = join(path, key.name);
      const known = bringers.get(inside);
      if (known === undefined) bringers.set(inside, [index]);
      else known.push(index);
      if (inner !== undefined) visit(inner, inside, index);
    }
  };
  const add = ({ fields }: AnswerPlan, path: readonly PathStep[], index: number): void =>
    visit(fields, path.map(({ key }) => key.name).join('/'), index);
  for (const { index, request } of fetches) {
    const { root, entities } = request;
    if (root !== undefined) add(root, root.target?.path ?? [], index);
    for (const field of entities) for (const path of field.paths) add(field, path, index);
  }
  return bringers;
}

/** Calls `found` with the path of each field of a deferred fragment, and all that is inside of it. */
function visitFragments(shape: ValueShape, path: string, found: (deferral: number, path: string) => void): void {
  const findOwners = (owners: Iterable<DataKey> = [], at: string, deferral: number): void => {
    for (const { name } of owners) found(deferral, join(at, name));
  };
  const visit = ({ item, objects }: ValueShape, at: string, deferral: number): void => {
    if (item !== undefined) visit(item, at, deferral);
    for (const { fields, deferred, owners } of objects?.all() ?? []) {
      if (deferral > 0) findOwners(owners, at, deferral);
      const inside = deferral > 0 ? fields : (deferred?.ways ?? []);
      for (const { key, value, local, owners: ofField } of inside) {
        if (local !== undefined) continue;
        if (deferral > 0) findOwners(ofField, at, deferral);
        const way = join(at, key.name);
        if (deferral > 0) found(deferral, way);
        visit(value, way, deferral);
      }
      for (const { deferral: inner, value, doesStand } of deferred?.fragments ?? []) {
        if (doesStand !== undefined) found(inner, join(at, '__typename'));
        visit(value, at, inner);
      }
    }
  };
  visit(shape, path, 0);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}/${key}`;
}
