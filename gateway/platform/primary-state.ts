/** Function of the primary process that changes shared state: takes points of a budget, or changes the state of an idempotency key. */
export type PrimaryCall = 'take' | 'begin' | 'complete' | 'release';

/** Message of a worker to the primary that has no result: it returns a lease of points. */
export type PrimaryReport = 'surrender';

/** Message of the primary to one worker. */
export type PrimaryNotice = LeaseNotice | RevocationNotice;

/** Points of a budget that the worker may grant without a call. */
export type LeaseNotice = readonly [
  name: 'lease',
  key: string,
  points: number,
  /** Points of the budget that remain, including those of the lease. */
  remaining: number,
  capacity: number,
  refillPerSecond: number,
];

/** Request to return the lease of a key immediately. A worker that has none ignores it. */
export type RevocationNotice = readonly [name: 'revoke', key: string];

/**
 * State in the primary process of `gatefold serve --workers`, which all workers on this machine share. Its values are JSON. Calls never
 * reject and never take longer than a timeout, so callers can continue without the primary.
 */
export interface PrimaryState {
  /** Number of workers that share the state. */
  readonly workers: number;
  /** Calls a function of the primary. @returns undefined when the primary does not respond in time, or too many calls are pending */
  call(name: PrimaryCall, args: readonly unknown[]): Promise<unknown>;
  /**
   * Sends a report to the primary. It arrives after the calls and reports before it. It is sent even while calls fail, and is lost only if
   * the primary has ended.
   */
  report(name: PrimaryReport, args: readonly unknown[]): void;
  /** Registers a listener for messages of the primary to this worker. */
  onNotice(listener: (notice: PrimaryNotice) => void): void;
  /** Sends a message to all other workers. It is lost if the primary is away. */
  publish(message: unknown): void;
  /** Registers a listener for messages of other workers. */
  subscribe(listener: (message: unknown) => void): void;
}

/** Shared state in the primary process, for one worker. */
export interface PrimarySession {
  /** Runs a call or a report of the worker. @returns its result; a promise if the result depends on other workers */
  run(name: PrimaryCall | PrimaryReport, args: readonly unknown[]): unknown;
  /** Called when the worker has ended. */
  end(): void;
}

/**
 * Opens the shared state for a new worker.
 *
 * @param notify sends a message to the worker. Messages arrive in their order
 */
export type OpenPrimarySession = (notify: (notice: PrimaryNotice) => void) => PrimarySession;
