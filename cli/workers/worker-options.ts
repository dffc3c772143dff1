/**
 * Maximum size of one half of the young generation. Newer versions of Node allow more, which costs memory under load without saving CPU
 * time. V8 reads it only when a process starts.
 *
 * @unit megabytes
 */
const SEMI_SPACE_MB = 16;

const FLAG = '--max-semi-space-size';

/**
 * Returns the Node options of a worker: those of the primary, and the size of the young generation unless the operator has set one.
 *
 * @param execArgv Node options of the primary
 * @param nodeOptions value of `NODE_OPTIONS`, which workers inherit
 */
export function workerOptionsOf(execArgv: readonly string[], nodeOptions = ''): string[] {
  const isSet = [...execArgv, nodeOptions].some((option) => option.replaceAll('_', '-').includes(FLAG));
  return isSet ? [...execArgv] : [...execArgv, `${FLAG}=${SEMI_SPACE_MB}`];
}
