import type { Enclosing } from './enclosing.ts';
import type { Position } from './positions.ts';
import { textOfTypes } from './type-names.ts';

/** Joint positions of a plan under construction. */
export interface JointPositions {
  /** Fields whose values are planned when all fields at their data path are known. */
  readonly waiting: Enclosing[];
  /** United positions with one data path, by the numbers of their members. */
  readonly united: Map<string, Position>;
  readonly numbers: Map<Position, number>;
  readonly paths: { readonly byPosition: Map<Position, DataPath>; readonly byText: Map<string, DataPath> };
}

interface DataPath {
  readonly number: number;
  /** Number of data keys from the root to the position. */
  readonly length: number;
}

export function createJointPositions(): JointPositions {
  return { waiting: [], united: new Map(), numbers: new Map(), paths: { byPosition: new Map(), byText: new Map() } };
}

/** Returns the number of a position. Different positions have different numbers. */
export function positionNumber({ numbers }: JointPositions, position: Position): number {
  const number = numbers.get(position) ?? numbers.size;
  numbers.set(position, number);
  return number;
}

/**
 * Identifies the nearest objects that set each context for the values of a field. Positions with the same types at the same depth have
 * equal texts.
 */
export function contextsAround(joint: JointPositions, position: Position): string {
  const nearest = new Map<string, string>();
  for (let around: Position | undefined = position; around !== undefined; around = around.parent) {
    const { type, types = [type.name] } = around;
    for (const context of type.contexts) {
      if (!nearest.has(context)) nearest.set(context, `${context} ${dataPathOf(joint, around).length} ${textOfTypes(types)}`);
    }
  }
  return [...nearest.values()].sort().join();
}

/** Returns the data path from the root to a position. Positions with the same keys share one path. */
export function dataPathOf(joint: JointPositions, position: Position): DataPath {
  const { byPosition, byText } = joint.paths;
  let path = byPosition.get(position);
  if (path === undefined) {
    const around = position.parent === undefined ? undefined : dataPathOf(joint, position.parent);
    const text = around === undefined ? '' : `${around.number} ${position.key}`;
    path = byText.get(text);
    if (path === undefined) byText.set(text, (path = { number: byText.size, length: around === undefined ? 0 : around.length + 1 }));
    byPosition.set(position, path);
  }
  return path;
}
