import { setFlagsFromString } from 'node:v8';

/** Growth of the old generation since the last full collection at which the next one starts. @unit percent */
const HEAP_GROWTH_PERCENT = 75;

/**
 * Configures V8 for a process that runs only a gateway. Called when all code is loaded: Node.js contains compiled code of its modules, and
 * compiles them again if the options of V8 differ. That took 20 ms at the start, and 40 ms in the thread of the planner (ADR 103).
 *
 * Disables allocation-site pretenuring, so that request data is not allocated in the old generation. V8 counts for each allocation site how
 * many objects survive. If most of them do, it allocates all further objects of that site in the old generation, where they remain until
 * the next full collection. Under large responses, the requests, responses and their lists live long enough for that. From then on, every
 * small request leaves 4 KB in the old generation, which reference more objects. Collections then took eight times as long, and so did the
 * slowest requests (ADR 25).
 *
 * Also collects the old generation earlier. By default, V8 lets it grow to almost three times the size of the live objects (ADR 64).
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
