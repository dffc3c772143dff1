import type { Environment } from '../gateway/config/read-environment-layer.ts';

/** The interface between a command and its process. */
export interface Terminal {
  readonly env: Environment;
  /** Standard input. @defaultValue undefined: empty, and without a user who can be prompted */
  readonly input?: TerminalInput;
  /** Writes requested output to standard output. */
  print(text: string): void;
  /** Writes messages that are not the result to standard error. */
  warn(text: string): void;
  /**
   * Returns a signal that aborts when the process should stop. Without this call, the process signal ends the command.
   *
   * @param options `isWorker`: whether another process of the same command receives the signals of the terminal and stops this one.
   * Default: false
   */
  stopSignal(options?: { readonly isWorker?: boolean }): AbortSignal;
  /**
   * Calls a listener at each SIGHUP, which otherwise ends the process.
   *
   * @defaultValue the process has no such signal
   */
  onHangUp?(listener: () => void): void;
  /**
   * Calls a listener with errors that no code has handled, instead of ending the process at once. The process exits with code 1 after the
   * timeout at the latest.
   *
   * @param timeoutMs time from the first error. @unit milliseconds
   * @defaultValue undefined: such an error ends the process
   */
  onUnhandledError?(listener: (error: unknown) => void, timeoutMs: number): void;
  /** Directory for data that later starts use again. @defaultValue no data is stored */
  readonly cacheDirectory?: string;
  /** Called when a gateway of this process serves requests. @defaultValue nothing is done */
  onServing?(): void;
}

/** Standard input of a process. */
export interface TerminalInput {
  /** Whether a user can be prompted: input and output are terminals. */
  readonly isInteractive: boolean;
  /** Reads the whole input. */
  readAll(): Promise<string>;
  /** Opens a dialog. Prompts are written to standard error, so that standard output contains only the result. */
  openDialog(): Dialog;
}

/** Prompts for the user, one after another. */
export interface Dialog extends Disposable {
  /** Prints a prompt and returns the line that the user types. @throws Error with the name `AbortError` when the input ends */
  prompt(text: string): Promise<string>;
}
