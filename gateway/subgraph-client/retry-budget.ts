/** Allows retries in proportion to requests. */
export interface RetryBudget {
  /** A request is sent for the first time. */
  deposit(): void;
  /** Whether a request may be sent again; if so, that has been paid for. */
  withdraw(): boolean;
}

/** Retries that are possible without any requests before, so that a quiet subgraph has them too; more are never saved up. */
const RESERVE = 10;

/**
 * A budget of retries. Where a subgraph fails at everything it gets `percent` more requests than without retries, and not
 * twice as many when it can bear them least.
 */
export function createRetryBudget(percent: number): RetryBudget {
  let hundredths = percent === 0 ? 0 : RESERVE * 100;
  return {
    deposit() {
      hundredths = Math.min(RESERVE * 100, hundredths + percent);
    },
    withdraw() {
      if (hundredths < 100) return false;
      hundredths -= 100;
      return true;
    },
  };
}
