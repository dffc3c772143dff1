/** What an attack is aimed at. */
export interface AttackTarget {
  /** Address of the gateway. */
  readonly url: string;
  /** Bearer token of a signed-in user. */
  readonly userToken: string;
}

/** Load that one client, or a few, put on a gateway. */
export interface Attack {
  readonly name: string;
  /** Number of the finding that it belongs to. */
  readonly point: number;
  /** Runs until `signal` is aborted. */
  run(target: AttackTarget, signal: AbortSignal): Promise<void>;
}
