import type { OperationTypeNode } from 'graphql';
import { OperationRefused } from '../operation/errors.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Reply } from '../platform/http/response/send-response.ts';
import type { BucketRate, Buckets, Withdrawal } from './buckets.ts';

/** A bucket's rate, with the texts that are the same in every answer. */
export interface BudgetPolicy extends BucketRate {
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10, section 3). */
  readonly policyField: string;
  /** `RateLimit` (section 4) up to the number of points that are left. */
  readonly limitField: string;
}

type OperationKind = `${OperationTypeNode}`;

/** What holds for all callers. */
export interface SpendingRules {
  readonly buckets: Buckets;
  /** Whether somebody who has nothing left is refused. */
  readonly isEnforced: boolean;
  /** Whether callers are told what is left. */
  readonly isTold: boolean;
  readonly weights: { readonly query: number; readonly mutation: number; readonly refusal: number; readonly failedLogin: number };
  /** Request bodies: what is free of each, and how many bytes of the rest cost a point. */
  readonly body: { readonly freeBytes: number; readonly bytesPerPoint: number };
  /** Hears of everybody who would be refused, were it enforced. */
  readonly onOverspent: (policy: BudgetPolicy) => void;
}

/** Text of a document that costs a point to prepare. @unit characters */
const CHARACTERS_PER_POINT = 1_024;

/** What one caller may spend, for the length of one request. A class, because each request has one. */
export class CallerBudget {
  readonly #rules: SpendingRules;
  readonly #key: string;
  readonly #policy: BudgetPolicy;
  #remaining: number | undefined;

  constructor(rules: SpendingRules, key: string, policy: BudgetPolicy) {
    this.#rules = rules;
    this.#key = key;
    this.#policy = policy;
  }

  /**
   * Pays for preparing a document that is not known yet, before it is parsed. The points count towards those of the operation or of the
   * refusal.
   *
   * @returns points that are paid for, or a promise of them where budgets are not in this process
   * @throws GatewayError `RATE_LIMITED`, also as a rejection
   */
  payDocument(length: number): Promise<number> | number {
    const points = Math.min(Math.ceil(length / CHARACTERS_PER_POINT), this.#policy.capacity);
    return this.#take(points)?.then(() => points) ?? points;
  }

  /**
   * Pays for an operation before it runs, at least a point.
   *
   * @param cost estimated
   * @param paid points that were paid for its document
   * @returns a promise only where budgets are not in this process
   * @throws GatewayError `RATE_LIMITED`, also as a rejection
   * @throws OperationRefused `COST_LIMIT_EXCEEDED` for what no waiting makes affordable
   */
  spend(kind: OperationKind, cost: number, paid = 0): Promise<void> | undefined {
    return this.#take(this.#pointsOf(kind, cost), paid);
  }

  /** Settles what an operation that was paid for by its estimate did cost. Whoever asks for less than was estimated gets the rest back. */
  settle(kind: OperationKind, estimated: number, actual: number): void {
    const rest = this.#pointsOf(kind, estimated) - this.#pointsOf(kind, actual);
    if (rest > 0) void this.#rules.buckets.take(this.#key, this.#policy, -rest);
  }

  /** Pays for a document that was refused. @param paid points that were paid for the document @throws as `spend` */
  payRefusal(paid = 0): Promise<void> | undefined {
    return this.#take(this.#rules.weights.refusal, paid);
  }

  /**
   * Pays for reading a request body, before it is parsed. Never asks for more than a full bucket holds.
   *
   * @throws GatewayError `RATE_LIMITED`, also as a rejection
   */
  payBody(bytes: number): Promise<void> | undefined {
    const { freeBytes, bytesPerPoint } = this.#rules.body;
    const points = Math.ceil((bytes - freeBytes) / bytesPerPoint);
    return points > 0 ? this.#take(Math.min(points, this.#policy.capacity)) : undefined;
  }

  /** Pays for credentials that were not good. @throws as `spend` */
  payFailedLogin(): Promise<void> | undefined {
    return this.#take(this.#rules.weights.failedLogin);
  }

  /** Adds to the headers of an answer what is left, as far as it is known. */
  tell(headers: Reply['headers']): void {
    if (!this.#rules.isTold || this.#remaining === undefined) return;
    const { policyField, limitField } = this.#policy;
    // A bucket that refills all the time has more within a second.
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

  #take(points: number, paid = 0): Promise<void> | undefined {
    if (points > this.#policy.capacity) return this.#refuse(tooExpensive(points, this.#policy));
    // What was paid beyond that is not given back: the document was long for what it asks.
    const taken = this.#rules.buckets.take(this.#key, this.#policy, Math.max(0, points - paid));
    if (taken instanceof Promise) return taken.then((withdrawal) => this.#note(withdrawal));
    this.#note(taken);
    return undefined;
  }

  #note({ isGranted, remaining, retryAfterMs }: Withdrawal): void {
    this.#remaining = remaining;
    if (!isGranted) this.#refuse(usedUp(retryAfterMs));
  }

  #refuse(error: GatewayError): undefined {
    if (this.#rules.isEnforced) throw error;
    this.#rules.onOverspent(this.#policy);
  }
}

function usedUp(retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new GatewayError('RATE_LIMITED', `The budget of this caller is used up. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function tooExpensive(points: number, { capacity }: BudgetPolicy): GatewayError {
  const message = `The operation costs ${points} points, and this caller never has more than ${capacity}.`;
  return new OperationRefused('COST_LIMIT_EXCEEDED', [{ message, cost: { estimated: points, limit: capacity } }]);
}
