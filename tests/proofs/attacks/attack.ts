/** The gateway that is attacked: `attacked-graph.ts` behind it. */
export interface AttackTarget {
  /** Base address, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Bearer token of a user without further roles. */
  readonly userToken: string;
}

/** What became of the requests of an attack. */
export interface Tally {
  /** Requests that were sent. */
  sent: number;
  /** Responses with status 200 and without errors. */
  accepted: number;
  /** Responses with an error. */
  rejected: number;
  /** Connections that failed or were closed by the gateway. */
  broken: number;
}

/** Hostile traffic of one kind. */
export interface Attack {
  readonly name: string;
  /** Number of the finding that it repeats. */
  readonly point: number;
  /** Requests that must be sent for the attack to count as one. @unit requests per second */
  readonly minRate: number;
  /** Requests that must be accepted for the attack to count as one. @unit requests per second @defaultValue 0 */
  readonly minAccepted?: number;
  /** Settings of the gateway that is attacked, as environment variables. @defaultValue none */
  readonly settings?: Readonly<Record<string, string>>;
  /** Sends requests until the signal is aborted, and counts them. Refusals and broken connections are expected and do not end it. */
  run(target: AttackTarget, tally: Tally, signal: AbortSignal): Promise<void>;
}
