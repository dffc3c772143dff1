import type { Enclosing } from './enclosing.ts';
import type { Place } from './places.ts';
import { textOfTypes } from './type-names.ts';

/** Places of one plan that are joined, while it is made. */
export interface JointPlaces {
  /** Fields whose values are planned when all fields at their data path are known. */
  readonly waiting: Enclosing[];
  /** Places that stand for several with one data path, by the numbers of these. */
  readonly united: Map<string, Place>;
  readonly numbers: Map<Place, number>;
  readonly paths: { readonly byPlace: Map<Place, DataPath>; readonly byText: Map<string, DataPath> };
}

interface DataPath {
  readonly number: number;
  /** How many data keys lead from the root to the place. */
  readonly length: number;
}

export function createJointPlaces(): JointPlaces {
  return { waiting: [], united: new Map(), numbers: new Map(), paths: { byPlace: new Map(), byText: new Map() } };
}

/** Numbers places: different for different places. */
export function placeNumber({ numbers }: JointPlaces, place: Place): number {
  const number = numbers.get(place) ?? numbers.size;
  numbers.set(place, number);
  return number;
}

/** Names the nearest objects that open each context around the values of a field of a place: equal for places of the same types at the same depth. */
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

/** Finds the data keys on the way from the root to a place: equal for places with the same keys. */
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
