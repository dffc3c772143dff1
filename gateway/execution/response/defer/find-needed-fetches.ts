import type { DataKey } from '../../data/own-properties.ts';
import type { ResponsePlan, CompiledFetch, CompiledPlan, MergeField, PathStep } from '../../plan/compiled-plan.ts';
import type { ObjectShape, ValueShape } from '../shape/response-shape.ts';

/** A position of the tree, or several positions to which the same fetches contribute. */
interface FetchedPosition {
  /** Identifier, equal for equal positions. */
  readonly id: number;
  /** Indices of the fetches that contribute the value at this position. */
  readonly fetches: readonly number[];
  /** Returns the position of a data key; undefined when no fetch contributes to it or to anything inside it. */
  inside(key: string): FetchedPosition | undefined;
}

/** Fields of a subgraph result at one position. */
interface Brought {
  readonly fetch: number;
  readonly fields: readonly MergeField[];
}

/** A node in the tree of paths to the target objects of fetches. */
interface Path {
  readonly id: number;
  readonly starts: Brought[];
  readonly inside: Map<string, Path>;
}

/** Finds the positions that fetches contribute to. Fields that several positions of a result share are analyzed once. */
function findFetched(fetches: readonly CompiledFetch[]): FetchedPosition {
  let paths = 0;
  const openPath = (): Path => ({ id: (paths += 1), starts: [], inside: new Map() });
  const start = openPath();
  const add = ({ fields }: ResponsePlan, path: readonly PathStep[], fetch: number): void => {
    let parentPath = start;
    for (const { key } of path) {
      const known = parentPath.inside.get(key.name) ?? openPath();
      parentPath.inside.set(key.name, known);
      parentPath = known;
    }
    parentPath.starts.push({ fetch, fields });
  };
  for (const { index, request } of fetches) {
    const { root, entities } = request;
    if (root !== undefined) add(root, root.target?.path ?? [], index);
    for (const field of entities) for (const path of field.paths) add(field, path, index);
  }
  return createPositions()(start, [], []);
}

type MakePosition = (path: Path | undefined, brought: readonly Brought[], fetches: readonly number[]) => FetchedPosition;

function createPositions(): MakePosition {
  const positions = new Map<string, FetchedPosition>();
  const numbers = new Map<readonly MergeField[], number>();
  const numberOf = (fields: readonly MergeField[]): number => {
    const number = numbers.get(fields) ?? numbers.size;
    numbers.set(fields, number);
    return number;
  };

  const positionOf: MakePosition = (path, brought, fetches) => {
    const name = JSON.stringify([path?.id, brought.map(({ fetch, fields }) => [fetch, numberOf(fields)]), fetches]);
    let position = positions.get(name);
    if (position === undefined) positions.set(name, (position = openPosition(positions.size, path, brought, fetches)));
    return position;
  };

  function openPosition(
    id: number,
    path: Path | undefined,
    transientPath: readonly Brought[],
    fetches: readonly number[],
  ): FetchedPosition {
    const known = new Map<string, FetchedPosition | undefined>();
    const brought = [...transientPath, ...(path?.starts ?? [])];
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
        const further = path?.inside.get(key);
        const isEmpty = found.length === 0 && further === undefined;
        const position = isEmpty ? undefined : positionOf(further, inner, [...new Set(found.map(({ fetch }) => fetch))]);
        known.set(key, position);
        return position;
      },
    };
  }

  return positionOf;
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
  visitFragments(shape, findFetched(late), (deferral, index) => needed.get(deferral)?.add(index));
  return needed;
}

/**
 * Calls `found` with each fetch that contributes a field of a deferred fragment, or a value inside such a field. A shape that several
 * positions share is visited again only where different fetches contribute.
 */
function visitFragments(shape: ValueShape, root: FetchedPosition, found: (deferral: number, fetch: number) => void): void {
  const visited = new Map<ObjectShape, Set<string>>();
  const isFirst = (object: ObjectShape, at: FetchedPosition, deferral: number): boolean => {
    const known = visited.get(object) ?? new Set<string>();
    visited.set(object, known);
    const visit = `${at.id} ${deferral}`;
    return !known.has(visit) && known.add(visit).has(visit);
  };
  const report = (deferral: number, at: FetchedPosition | undefined): void => {
    for (const fetch of at?.fetches ?? []) found(deferral, fetch);
  };
  const reportOwners = (owners: Iterable<DataKey> = [], at: FetchedPosition, deferral: number): void => {
    for (const { name } of owners) report(deferral, at.inside(name));
  };
  const visit = ({ item, objects }: ValueShape, at: FetchedPosition | undefined, deferral: number): void => {
    if (at === undefined) return; // No deferred fetch contributes here or beneath.
    if (item !== undefined) visit(item, at, deferral);
    for (const object of objects?.all() ?? []) {
      if (!isFirst(object, at, deferral)) continue;
      const { fields, deferred, owners } = object;
      if (deferral > 0) reportOwners(owners, at, deferral);
      const inside = deferral > 0 ? fields : (deferred?.deferredFields ?? []);
      for (const { key, value, local, owners: ofField } of inside) {
        if (local !== undefined) continue;
        if (deferral > 0) reportOwners(ofField, at, deferral);
        const path = at.inside(key.name);
        if (deferral > 0) report(deferral, path);
        visit(value, path, deferral);
      }
      for (const { deferral: inner, value, isPresent } of deferred?.fragments ?? []) {
        if (isPresent !== undefined) report(inner, at.inside('__typename'));
        visit(value, at, inner);
      }
    }
  };
  visit(shape, root, 0);
}
