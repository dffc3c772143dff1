import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Growth of the old generation since the last full collection at which the next one starts. @unit percent */
const HEAP_GROWTH_PERCENT = 75;

/** Interval at which the size of the young generation is checked. @unit milliseconds */
const CHECK_MS = 100;

/**
 * Size at which the young generation stops growing: two halves of 16 MB, as in worker processes. Worker processes have a module for this, but
 * modules of the start must not be shared with modules that are loaded later.
 *
 * @unit bytes
 */
const YOUNG_GENERATION_BYTES = 33_554_432;

/** Matches the option with which an operator sets the maximum size. */
const SIZE_OPTION = /--max[-_]semi[-_]space[-_]size/;

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
 * Also collects the old generation earlier. By default, V8 lets it grow to almost three times the size of the live objects (ADR 64). The
 * young generation is limited, unless the operator has set its size (ADR 109).
 *
 * @param options options of Node.js: those of the command line and of `NODE_OPTIONS`
 */
export function tuneGarbageCollection(options: readonly string[], v8Version = process.versions.v8): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  if (Number.parseInt(v8Version, 10) >= V8_OF_NODE_24 && !options.some((option) => SIZE_OPTION.test(option))) limitYoungGeneration();
}

/** First version of V8 that needs the limit. Earlier ones allow 16 MB for each half by default. */
const V8_OF_NODE_24 = 13;

/**
 * Stops the growth of the young generation at 16 MB for each half. V8 reads its option for the maximum only when the process starts, but the
 * factor of the growth each time. V8 can shrink an idle heap, which must then be able to grow again.
 */
function limitYoungGeneration(): void {
  setFlagsFromString(`--min-semi-space-size=${THREAD_SEMI_SPACE_MB}`);
  let isGrowing = true;
  const check = (): void => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    const mayGrow = size < YOUNG_GENERATION_BYTES;
    if (mayGrow === isGrowing) return;
    isGrowing = mayGrow;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? USUAL_GROWTH : 1}`);
  };
  setInterval(check, CHECK_MS).unref();
}

/**
 * Size with which the young generation of a new thread begins, because the factor applies to all threads: the maximum for the thread of the
 * planner. @unit megabytes
 */
const THREAD_SEMI_SPACE_MB = 4;

/** Factor by which V8 enlarges the young generation, unless an option changes it. */
const USUAL_GROWTH = 2;
