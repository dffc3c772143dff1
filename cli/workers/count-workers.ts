import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';

/** Value of `server.workers`. */
export type WorkersSetting = number | 'auto';

/** Returns the number of worker processes. */
export function countWorkers(setting: WorkersSetting): number {
  return setting === 'auto' ? availableParallelism() : setting;
}

/** Reads the option `--workers`. @throws InvalidArgumentError when the text is not a number or `auto` */
export function readWorkers(text: string): WorkersSetting {
  if (text === 'auto') return text;
  const count = Number(text);
  if (/^[1-9]\d{0,2}$/.test(text) && count <= 256) return count;
  throw new InvalidArgumentError('Use a whole number from 1 to 256, or auto.');
}
