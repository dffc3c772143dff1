import type { Environment } from '../gateway/config/read-environment-layer.ts';

/** The interface between a command and its process. */
export interface Terminal {
  readonly env: Environment;
  /** Writes requested output to standard output. */
  print(text: string): void;
  /** Writes messages that are not the result to standard error. */
  warn(text: string): void;
  /** Returns a signal that aborts when the process should stop. Without this call, the process signal ends the command. */
  stopSignal(): AbortSignal;
}
