import type { Enclosing } from './enclosing.ts';
import type { Place } from './places.ts';
import { textOfTypes } from './type-names.ts';

/** Joint positions of a plan under construction. */
export interface JointPlaces {
  /** Fields whose values are planned when all fields at their data path are known. */
  readonly waiting: Enclosing[];
  /** United positions with one data path, by the numbers of their members. */
  readonly united: Map<string, Place>;
  readonly numbers: Map<Place, number>;
  readonly paths: { readonly byPlace: Map<Place, DataPath>; readonly byText: Map<string, DataPath> };
}

interface DataPath {
  readonly number: number;
  /** Number of data keys from the root to the position. */
  readonly length: number;
}

export function createJointPlaces(): JointPlaces {
  return { waiting: [], united: new Map(), numbers: new Map(), paths: { byPlace: new Map(), byText: new Map() } };
}

/** Returns the number of a position. Different positions have different numbers. */
export function placeNumber({ numbers }: JointPlaces, place: Place): number {
  const number = numbers.get(place) ?? numbers.size;
  numbers.set(place, number);
  return number;
}

/**
 * Identifies the nearest objects that set each context for the values of a field. Positions with the same types at the same depth have
 * equal texts.
 */
export function contextsAround(joint: JointPlaces, place: Place): string {
  const nearest = new Map<string, string>();
  for (let around: Place | undefined = place; around !== undefined; around = around.parent) {
    const { type, types = [type.name] } = around;
    for (const context of type.contexts) {
      if (!nearest.has(context)) nearest.set(context, `${context} ${dataPathOf(joint, around).length} ${textOfTypes(types)}`);
    }
  }
  return [...nearest.values()].sort().join();
}

/** Returns the data path from the root to a position. Positions with the same keys share one path. */
export function dataPathOf(joint: JointPlaces, place: Place): DataPath {
  const { byPlace, byText } = joint.paths;
  let path = byPlace.get(place);
  if (path === undefined) {
    const around = place.parent === undefined ? undefined : dataPathOf(joint, place.parent);
    const text = around === undefined ? '' : `${around.number} ${place.key}`;
    path = byText.get(text);
    if (path === undefined) byText.set(text, (path = { number: byText.size, length: around === undefined ? 0 : around.length + 1 }));
    byPlace.set(place, path);
  }
  return path;
}
