import type { CallerBudget, MeteredBudget } from './caller-budget.ts';

/**
 * Budget of an address whose requests are free, except rejected documents and failed logins. A new document is charged before it is parsed,
 * and refunded when its operation is executed. If the operation is then rejected, because it cannot be planned, the document is charged
 * again. An address whose budget is used up by rejections therefore cannot make the gateway parse further new documents, and known documents
 * are still served.
 */
export class RejectionBudget implements CallerBudget {
  readonly #open: () => MeteredBudget;
  #metered: MeteredBudget | undefined;

  /** @param open creates the budget of the address. Called at the first charge, because most requests have none */
  constructor(open: () => MeteredBudget) {
    this.#open = open;
  }

  get isLimited(): boolean {
    return false;
  }

  payDocument(length: number): Promise<number> | number {
    return this.#budget().payDocument(length);
  }

  spend(_operation: object, _cost: number, paid = 0): undefined {
    if (paid > 0) this.#budget().refund(paid);
  }

  settle(): void {}

  chargeRejection(paid = 0, isSpent = false): Promise<void> | undefined {
    return isSpent ? this.#budget().chargeRefundedRejection(paid) : this.#budget().chargeRejection(paid);
  }

  /** Charges nothing: a client of automatic persisted queries sends unknown hashes by design, and a lookup is cheap. */
  chargeFailedLookup(): undefined {}

  payBody(): undefined {}

  payFailedLogin(): Promise<void> | undefined {
    return this.#budget().payFailedLogin();
  }

  writeRateLimitHeaders(): void {}

  #budget(): MeteredBudget {
    this.#metered ??= this.#open();
    return this.#metered;
  }
}
