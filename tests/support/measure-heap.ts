import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Measures what this process retains after garbage collection: heap, and buffers beside it. @unit bytes */
export async function retainedBytes(): Promise<number> {
  let least = Infinity;
  // Weak references and finalizers need further rounds. The least of some measurements is what is really held.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setImmediate();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    // Node counts the buffers of strings that wait to be written among `arrayBuffers` alone.
    least = Math.min(least, heapUsed + Math.max(external, arrayBuffers));
  }
  return least;
}
