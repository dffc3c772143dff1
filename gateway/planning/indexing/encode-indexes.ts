import { deserialize, serialize } from 'node:v8';
import type { PlanningIndex } from '../planning-index.ts';
import type { ServingIndex, SupergraphIndexes } from './create-indexes.ts';

/** Indexes in the format of the structured clone algorithm. Each is decoded only in the thread that uses it. */
export interface EncodedIndexes {
  readonly serving: Uint8Array;
  readonly planning: Uint8Array;
}

export function encodeIndexes({ serving, planning }: SupergraphIndexes): EncodedIndexes {
  return { serving: serialize(serving), planning: serialize(planning) };
}

export function decodeServingIndex({ serving }: Pick<EncodedIndexes, 'serving'>): ServingIndex {
  return deserialize(serving) as ServingIndex;
}

export function decodePlanningIndex(planning: Uint8Array): PlanningIndex {
  return deserialize(planning) as PlanningIndex;
}
