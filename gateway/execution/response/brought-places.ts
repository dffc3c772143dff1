import type { AnswerPlan, CompiledFetch, MergeField, PathStep } from '../plan/compiled-plan.ts';

/** A place of the tree, or several at which fetches bring the same. */
export interface BroughtPlace {
  /** Equal for equal places. */
  readonly id: number;
  /** The fetches that bring the value here. */
  readonly fetches: readonly number[];
  /** The place of a data key; undefined where no fetch brings anything there or inside. */
  inside(key: string): BroughtPlace | undefined;
}

/** Fields of an answer that stand at one place. */
interface Brought {
  readonly fetch: number;
  readonly fields: readonly MergeField[];
}

/** Paths to the objects that are answered about. */
interface Way {
  readonly id: number;
  readonly starts: Brought[];
  readonly inside: Map<string, Way>;
}

/** Finds what fetches bring where. Fields that several places of an answer share are looked at once. */
export function findBrought(fetches: readonly CompiledFetch[]): BroughtPlace {
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
