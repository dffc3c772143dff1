import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MOST_ROUNDS = 3;
/** Collections that free less than this have freed all there is. @unit bytes */
const NOTHING_MORE = 20_000;

/**
 * Measures what this process retains after garbage collection: heap, and buffers beside it.
 *
 * @param enough a measurement that is not above it is good enough @unit bytes
 * @unit bytes
 */
export async function retainedBytes(enough = 0): Promise<number> {
  let least = Infinity;
  // Weak references and finalizers need further rounds. The least of some measurements is what is really held.
  for (let round = 0; round < MOST_ROUNDS && least > enough; round += 1) {
    collect();
    await setImmediate();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    // Node counts the buffers of strings that wait to be written among `arrayBuffers` alone.
    const retained = heapUsed + Math.max(external, arrayBuffers);
    const isLast = least - retained < NOTHING_MORE;
    least = Math.min(least, retained);
    if (isLast) break;
  }
  return least;
}

/**
 * Measures how much more is retained than before, with no more collections than are needed to see that it is less than a bound.
 *
 * @unit bytes
 */
export async function grownBytes(before: number, bound: number): Promise<number> {
  return (await retainedBytes(before + bound - 1)) - before;
}
