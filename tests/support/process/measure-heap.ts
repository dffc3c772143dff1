import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MOST_ROUNDS = 3;
/** A collection that frees less than this has freed everything. @unit bytes */
const NOTHING_MORE = 20_000;

/**
 * Measures the memory that this process retains after garbage collection: heap, and buffers outside of it.
 *
 * @param enough a measurement that does not exceed this is accepted at once @unit bytes
 * @unit bytes
 */
export async function retainedBytes(enough = 0): Promise<number> {
  let least = Infinity;
  // Weak references and finalizers need several rounds. The lowest measurement is the memory that is really retained.
  for (let round = 0; round < MOST_ROUNDS && least > enough; round += 1) {
    collect();
    await setImmediate();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    // Node counts the buffers of strings that wait to be written only in `arrayBuffers`.
    const retained = heapUsed + Math.max(external, arrayBuffers);
    const isLast = least - retained < NOTHING_MORE;
    least = Math.min(least, retained);
    if (isLast) break;
  }
  return least;
}

/**
 * Measures the growth of retained memory, with only as many collections as are needed to see that it is below a bound.
 *
 * @unit bytes
 */
export async function grownBytes(before: number, bound: number): Promise<number> {
  return (await retainedBytes(before + bound - 1)) - before;
}
