import type { OperationTypeNode } from 'graphql';
import { OperationRejected } from '../operation/operation-rejected.ts';
import { GatewayError } from '../platform/errors.ts';
import type { HttpResponse } from '../platform/http/response/send-response.ts';
import type { BucketRate, Buckets, Withdrawal } from './buckets.ts';

/** Rate of a bucket, and the constant parts of its response headers. */
export interface BudgetPolicy extends BucketRate {
  /** Section of the configuration that defines the rate. */
  readonly setting: 'budget.signedIn' | 'budget.anonymous' | `budget.rules.${number}`;
  /** Whether callers whose budget is used up are rejected. */
  readonly isEnforced: boolean;
  /** Value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10, section 3). */
  readonly policyField: string;
  /** Beginning of the value of `RateLimit` (section 4), up to the number of remaining points. */
  readonly limitField: string;
  /** Name of the client for whose requests a caller has a separate budget. @defaultValue all clients of a caller share one budget */
  readonly client?: string;
}

type OperationKind = `${OperationTypeNode}`;

/** An operation that is charged. */
export interface PaidOperation {
  readonly kind: OperationKind;
  /** Name for the log. @defaultValue unknown */
  readonly name?: string;
}

/** Rules that apply to all callers. */
export interface SpendingRules {
  readonly buckets: Buckets;
  /** Whether the remaining budget is sent in response headers. */
  readonly isReported: boolean;
  readonly weights: { readonly query: number; readonly mutation: number; readonly rejection: number; readonly failedLogin: number };
  /** Free bytes of each request body, and the number of further bytes that cost one point. */
  readonly body: { readonly freeBytes: number; readonly bytesPerPoint: number };
  /** Called for every request of a caller whose budget is used up, whether it is rejected or only measured. */
  readonly onUsedUp: (policy: BudgetPolicy, operation: PaidOperation | undefined) => void;
}

/** Length of a document that costs one point to prepare. @unit characters */
const CHARACTERS_PER_POINT = 1_024;

/** Budget of one caller during one request. */
export interface CallerBudget {
  /** Whether the caller is charged. */
  readonly isLimited: boolean;
  /**
   * Charges for preparing a document that is not cached, before it is parsed. The points count toward the cost of the operation or of the
   * rejection.
   *
   * @returns charged points, or a promise of them if budgets are not in this process
   * @throws GatewayError `RATE_LIMITED`, possibly as a rejected promise
   */
  payDocument(length: number): Promise<number> | number;
  /**
   * Charges for an operation before it is executed, at least one point.
   *
   * @param cost estimated cost
   * @param paid points that were already charged for its document
   * @returns a promise only if budgets are not in this process
   * @throws GatewayError `RATE_LIMITED`, possibly as a rejected promise
   * @throws OperationRejected `COST_LIMIT_EXCEEDED` when the cost exceeds the capacity, so that waiting does not help
   */
  spend(operation: PaidOperation, cost: number, paid?: number): Promise<void> | undefined;
  /** Refunds the difference between the estimated and the actual cost of an operation. */
  settle(kind: OperationKind, estimated: number, actual: number): void;
  /**
   * Charges for a rejected document.
   *
   * @param paid points that were already charged for the document
   * @param isSpent whether the operation was rejected after `spend`, for example because it cannot be planned @defaultValue false
   * @throws the same errors as `spend`
   */
  chargeRejection(paid?: number, isSpent?: boolean): Promise<void> | undefined;
  /** Charges for a document that is unknown or not trusted, which was only looked up. @throws as `spend` */
  chargeFailedLookup(): Promise<void> | undefined;
  /**
   * Charges for reading a request body, before it is parsed. The charge never exceeds the capacity of the bucket.
   *
   * @throws GatewayError `RATE_LIMITED`, possibly as a rejected promise
   */
  payBody(bytes: number): Promise<void> | undefined;
  /** Charges for invalid credentials. @throws as `spend` */
  payFailedLogin(): Promise<void> | undefined;
  /** Adds the remaining budget to response headers, if it is known. */
  writeRateLimitHeaders(headers: HttpResponse['headers']): void;
}

/** Budget of callers that are not charged. */
export const UNLIMITED_BUDGET: CallerBudget = {
  isLimited: false,
  payDocument: () => 0,
  spend: () => undefined,
  settle: () => undefined,
  chargeRejection: () => undefined,
  chargeFailedLookup: () => undefined,
  payBody: () => undefined,
  payFailedLogin: () => undefined,
  writeRateLimitHeaders: () => undefined,
};

/** Budget of a caller in a token bucket. It is a class because every request creates one. */
export class MeteredBudget implements CallerBudget {
  get isLimited(): boolean {
    return true;
  }

  readonly #rules: SpendingRules;
  readonly #key: string;
  readonly #policy: BudgetPolicy;
  #remaining: number | undefined;

  constructor(rules: SpendingRules, key: string, policy: BudgetPolicy) {
    this.#rules = rules;
    this.#key = key;
    this.#policy = policy;
  }

  payDocument(length: number): Promise<number> | number {
    const points = this.#atMostAll(Math.ceil(length / CHARACTERS_PER_POINT));
    return this.#take(points)?.then(() => points) ?? points;
  }

  spend(operation: PaidOperation, cost: number, paid = 0): Promise<void> | undefined {
    return this.#take(this.#pointsOf(operation.kind, cost), paid, operation);
  }

  /** Returns points that were charged for a document. */
  refund(points: number): void {
    void this.#rules.buckets.take(this.#key, this.#policy, -points);
  }

  settle(kind: OperationKind, estimated: number, actual: number): void {
    const rest = this.#pointsOf(kind, estimated) - this.#pointsOf(kind, actual);
    if (rest > 0) this.refund(rest);
  }

  chargeRejection(paid = 0): Promise<void> | undefined {
    return this.#take(this.#atMostAll(this.#rules.weights.rejection), paid);
  }

  /** Charges for a rejected document whose charge was refunded: the larger of the two. @throws the same errors as `spend` */
  chargeRefundedRejection(refunded: number): Promise<void> | undefined {
    return this.#take(this.#atMostAll(Math.max(refunded, this.#rules.weights.rejection)));
  }

  chargeFailedLookup(): Promise<void> | undefined {
    return this.chargeRejection();
  }

  payBody(bytes: number): Promise<void> | undefined {
    const { freeBytes, bytesPerPoint } = this.#rules.body;
    const points = Math.ceil((bytes - freeBytes) / bytesPerPoint);
    return points > 0 ? this.#take(this.#atMostAll(points)) : undefined;
  }

  payFailedLogin(): Promise<void> | undefined {
    return this.#take(this.#atMostAll(this.#rules.weights.failedLogin));
  }

  writeRateLimitHeaders(headers: HttpResponse['headers']): void {
    if (!this.#rules.isReported || this.#remaining === undefined) return;
    const { policyField, limitField } = this.#policy;
    // The bucket refills continuously, so it has more points within a second.
    const limit = `${limitField}${this.#remaining};t=1`;
    if (Array.isArray(headers)) {
      headers.push('ratelimit-policy', policyField, 'ratelimit', limit);
    } else {
      headers['ratelimit-policy'] = policyField;
      headers['ratelimit'] = limit;
    }
  }

  #pointsOf(kind: OperationKind, cost: number): number {
    const { query, mutation } = this.#rules.weights;
    return Math.ceil(Math.max(1, cost)) * (kind === 'mutation' ? mutation : query);
  }

  /** Limits a charge for a rejection to the whole bucket, so that waiting always helps. */
  #atMostAll(points: number): number {
    return Math.min(points, this.#policy.capacity);
  }

  #take(points: number, paid = 0, operation?: PaidOperation): Promise<void> | undefined {
    if (points > this.#policy.capacity) return this.#refuse(tooExpensive(points, this.#policy), operation);
    // If the document cost more than the operation, the difference is not refunded, because the document was long for its operation.
    const taken = this.#rules.buckets.take(this.#key, this.#policy, Math.max(0, points - paid));
    if (taken instanceof Promise) return taken.then((withdrawal) => this.#note(withdrawal, operation));
    this.#note(taken, operation);
    return undefined;
  }

  #note({ isGranted, remaining, retryAfterMs }: Withdrawal, operation: PaidOperation | undefined): void {
    this.#remaining = remaining;
    if (!isGranted) this.#refuse(usedUp(retryAfterMs), operation);
  }

  #refuse(error: GatewayError, operation: PaidOperation | undefined): undefined {
    const { isEnforced } = this.#policy;
    // The pipeline logs the rejection of an operation that is too expensive for any time.
    if (!isEnforced || error.setting === undefined) this.#rules.onUsedUp(this.#policy, operation);
    if (isEnforced) throw error;
  }
}

function usedUp(retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new GatewayError('RATE_LIMITED', `The budget of this caller is used up. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function tooExpensive(points: number, { capacity, setting }: BudgetPolicy): GatewayError {
  const message = `The operation costs ${points} points, but the budget of this caller has a capacity of ${capacity} points.`;
  const cost = { estimated: points, limit: capacity };
  return new OperationRejected('COST_LIMIT_EXCEEDED', [{ message, cost }], { setting: `${setting}.capacity` });
}
