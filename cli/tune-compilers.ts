import { setFlagsFromString } from 'node:v8';

/**
 * Thresholds of V8 for compiling a function to optimized code (ADR 113). Maglev compiles a function in 0.25 ms, TurboFan in 6 ms, on average.
 *
 * - Maglev compiles a function after half as many calls as usual, because the functions that prepare an operation run only a few times for
 *   each new operation.
 * - A function need not have run as long as usual since V8 saw a new type of object in it.
 * - TurboFan waits until a function runs for many requests, and not only for the first hundred operations.
 */
const THRESHOLDS: readonly (readonly [flag: string, calls: number])[] = [
  ['invocation-count-for-maglev', 200],
  ['minimum-invocations-after-ic-update', 200],
  ['invocation-count-for-turbofan', 20_000],
];

/** First version of V8 in which Node.js compiles with Maglev. */
const V8_OF_NODE_24 = 13;

/**
 * Configures V8 for a process that runs only a gateway, so that new operations are fast soon after the start. Does nothing before Node.js 24.
 *
 * @param options options of Node.js: those of the command line and of `NODE_OPTIONS`. The thresholds that they set are not changed.
 */
export function tuneCompilers(options: readonly string[], v8Version = process.versions.v8): void {
  for (const flag of compilerFlags(options, v8Version)) setFlagsFromString(flag);
}

/** Returns the options of V8 that `tuneCompilers` sets. */
export function compilerFlags(options: readonly string[], v8Version: string): readonly string[] {
  if (Number.parseInt(v8Version, 10) < V8_OF_NODE_24) return [];
  const given = options.join(' ').replaceAll('_', '-');
  return THRESHOLDS.filter(([flag]) => !given.includes(`--${flag}=`)).map(([flag, calls]) => `--${flag}=${calls}`);
}
