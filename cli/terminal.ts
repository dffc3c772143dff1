import type { Environment } from '../gateway/config/read-environment-layer.ts';

/** What a command sees of the process it runs in. */
export interface Terminal {
  readonly env: Environment;
  /** Lines that were asked for: standard output. */
  print(text: string): void;
  /** Lines beside the result: standard error. */
  warn(text: string): void;
  /** Aborts when the process is asked to stop. A command that never calls it is stopped by the signal itself. */
  stopSignal(): AbortSignal;
}
