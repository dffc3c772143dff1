/** In which versions an endpoint is there, and what becomes of it. */
export interface Lifespan {
  /** The first version that has it. */
  readonly since: number;
  /** The last version that has it; absent where the newest does. */
  readonly until?: number;
  /** From then on it should not be used. @unit seconds since the epoch */
  readonly deprecatedAt?: number;
  /** From then on it is gone. @unit milliseconds since the epoch */
  readonly sunsetAt?: number;
}

/** Whether a version has the endpoint. */
export function isAliveIn({ since, until = Infinity }: Lifespan, version: number): boolean {
  return since <= version && version <= until;
}

/** Whether some version has both. */
export function overlap(one: Lifespan, other: Lifespan): boolean {
  return one.since <= (other.until ?? Infinity) && other.since <= (one.until ?? Infinity);
}
