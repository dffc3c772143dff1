/** Function of the primary process that changes shared state: takes points of a budget, or changes the state of an idempotency key. */
export type PrimaryCall = 'take' | 'begin' | 'complete' | 'release';

/**
 * State in the primary process of `gatefold serve --workers`, which all workers on this machine share. Its values are JSON. Calls never
 * reject and never take longer than a timeout, so callers can continue without the primary.
 */
export interface PrimaryState {
  /** Number of workers that share the state. */
  readonly workers: number;
  /** Calls a function of the primary. @returns undefined when the primary does not respond in time, or too many calls are pending */
  call(name: PrimaryCall, args: readonly unknown[]): Promise<unknown>;
  /** Sends a message to all other workers. It is lost if the primary is away. */
  publish(message: unknown): void;
  /** Registers a listener for messages of other workers. */
  subscribe(listener: (message: unknown) => void): void;
}

/** Runs a call in the primary process. */
export type RunPrimaryCall = (name: PrimaryCall, args: readonly unknown[]) => unknown;
