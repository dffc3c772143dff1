import type { Clock } from '../platform/clock.ts';

export interface DelayedLoadOptions {
  /** Loads the first supergraph. */
  readonly load: () => Promise<void>;
  readonly hasSupergraph: () => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Delay after the first failure, which doubles with each further one. @unit milliseconds */
const FIRST_DELAY_MS = 1_000;

/** @unit milliseconds */
const MAX_DELAY_MS = 30_000;

/**
 * Loads the supergraph for requests of an embedding application. Requests that wait at the same time share one attempt. After a failure,
 * requests get its error, and the next attempt is made only after a delay, so that clients cannot make the gateway read, parse and validate
 * a large supergraph for each request. The delay ends when the application has loaded a supergraph itself.
 */
export function loadWithDelay({ load, hasSupergraph, clock }: DelayedLoadOptions): () => Promise<void> {
  let pending: Promise<void> | undefined;
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  let delayMs = FIRST_DELAY_MS;

  async function attempt(): Promise<void> {
    try {
      await load();
      failure = undefined;
      delayMs = FIRST_DELAY_MS;
    } catch (error) {
      failure = { error, until: clock.monotonic() + delayMs };
      delayMs = Math.min(MAX_DELAY_MS, 2 * delayMs);
      throw error;
    } finally {
      pending = undefined;
    }
  }

  return async () => {
    if (failure !== undefined && clock.monotonic() < failure.until && !hasSupergraph()) throw failure.error;
    pending ??= attempt();
    await pending;
  };
}
