/** The attacked gateway, in front of `attacked-graph.ts`. */
export interface AttackTarget {
  /** Base address, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Bearer token of a user without further roles. */
  readonly userToken: string;
}

/** Results of the requests of an attack. */
export interface Tally {
  /** Number of requests sent. */
  sent: number;
  /** Number of responses with status 200 and without errors. */
  accepted: number;
  /** Number of responses with an error. */
  rejected: number;
  /** Number of connections that failed or were closed by the gateway. */
  broken: number;
}

/** Hostile traffic of one kind. */
export interface Attack {
  readonly name: string;
  /** Number of the finding that the attack repeats. */
  readonly point: number;
  /** Requests that must be sent for the attack to count as one. @unit requests per second */
  readonly minRate: number;
  /** Requests that must be accepted for the attack to count as one. @unit requests per second @defaultValue 0 */
  readonly minAccepted?: number;
  /** Settings of the attacked gateway, as environment variables. @defaultValue none */
  readonly settings?: Readonly<Record<string, string>>;
  /** Sends requests until the signal is aborted, and counts them. Error responses and broken connections are expected and do not end it. */
  run(target: AttackTarget, tally: Tally, signal: AbortSignal): Promise<void>;
}
