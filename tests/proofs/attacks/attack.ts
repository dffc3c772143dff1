/** The gateway that is attacked: the reference stack. */
export interface AttackTarget {
  /** Base address, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Bearer token of a user without further roles. */
  readonly userToken: string;
}

/** Hostile traffic of one kind. */
export interface Attack {
  readonly name: string;
  /** Number of the finding that it repeats. */
  readonly point: number;
  /** Sends requests until the signal is aborted. Refusals and broken connections are expected and do not end it. */
  run(target: AttackTarget, signal: AbortSignal): Promise<void>;
}
