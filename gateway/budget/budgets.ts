import { compileBudgetRules } from './compile-budget-rules.ts';
import type { BudgetConfig } from '../config/sections/budget.ts';
import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { clientAddressOf, type InNetworks, networkOf } from '../platform/http/request/client-address.ts';
import type { LogSampler } from '../platform/log-sampler.ts';
import { boundedKey, type Principal, principalKeyOf } from '../platform/principal.ts';
import type { PrimaryState } from '../platform/primary-state.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { type BucketRate, type Buckets, createMemoryBuckets } from './buckets.ts';
import { type BudgetPolicy, type CallerBudget, MeteredBudget, type SpendingRules, UNLIMITED_BUDGET } from './caller-budget.ts';
import { createPrimaryBuckets, type PrimaryBuckets } from './primary-buckets.ts';
import { createRedisBuckets } from './redis-buckets.ts';
import { RejectionBudget } from './rejection-budget.ts';

/** Caller of a request, with its address. */
export interface Caller {
  readonly principal: Principal;
  readonly headers: RequestHeaders;
  /** Address of the peer of the connection. */
  readonly remoteAddress?: string;
}

export interface Budgets {
  /** Returns the budget of a caller. Callers without credentials and without a known address get `UNLIMITED_BUDGET`. */
  of(caller: Caller): CallerBudget;
  /**
   * Returns the budget of callers without credentials at an address. With `budget.anonymous.mode: rejections`, it charges only failed logins
   * and rejected documents.
   */
  ofAddress(caller: Pick<Caller, 'headers' | 'remoteAddress'>): CallerBudget;
}

/** Budgets without charges, for mode `off`. */
export const UNLIMITED_BUDGETS: Budgets = { of: () => UNLIMITED_BUDGET, ofAddress: () => UNLIMITED_BUDGET };

export interface BudgetsOptions {
  /** Returns whether an address is a trusted proxy. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
  /** Redis in which all gateways share budgets. @defaultValue budgets are stored in this process */
  readonly redis: SharedRedis | undefined;
  /** State that the workers of this machine share. @defaultValue this process is not a worker */
  readonly primary?: PrimaryState | undefined;
  readonly clock: Clock;
  readonly sampler: LogSampler;
  /** Buckets of all callers. @defaultValue new buckets, as the other options select them */
  readonly buckets?: Buckets;
}

/**
 * Budgets whose settings can be reloaded. Points that callers have spent remain spent. Disposing the budgets returns points that are
 * reserved for this process.
 */
export interface ReloadableBudgets extends Budgets, Disposable {
  /** Replaces all settings except `maxCallers` and `instances`. Requests in progress continue with the budget that they have. */
  reload(config: BudgetConfig): void;
}

export function createReloadableBudgets(config: BudgetConfig, options: BudgetsOptions): ReloadableBudgets {
  const buckets = openBuckets(config, options);
  const create = (section: BudgetConfig): Budgets => createBudgets(section, { ...options, buckets });
  const budgets: ReloadableBudgets = {
    ...create(config),
    // The methods are replaced and not wrapped, so that a call costs the same as without reloading.
    reload: (next) => void Object.assign(budgets, create(next)),
    [Symbol.dispose]() {
      if (Symbol.dispose in buckets) buckets[Symbol.dispose]();
    },
  };
  return budgets;
}

/** Creates the budgets of all callers from the section `budget`. */
export function createBudgets(config: BudgetConfig, options: BudgetsOptions): Budgets {
  if (config.mode === 'off') return UNLIMITED_BUDGETS;
  const { isProxy, sampler } = options;
  const { key, claim } = config;
  const { mode: anonymousMode } = config.anonymous;
  const isOnlyRejections = anonymousMode === 'rejections';
  const isEnforced = config.mode === 'enforce';
  const signedIn = compilePolicy('signed-in', config.signedIn, { setting: 'budget.signedIn', isEnforced });
  const policyOf = compileBudgetRules(
    config.rules,
    (rule, index) =>
      compilePolicy(rule.name, rule, {
        setting: `budget.rules.${index}`,
        isEnforced,
        ...(rule.client === undefined ? {} : { client: rule.client }),
      }),
    signedIn,
  );
  const anonymous = compilePolicy('anonymous', config.anonymous, {
    setting: 'budget.anonymous',
    isEnforced: isOnlyRejections ? isEnforced : anonymousMode === 'enforce',
  });
  const rules: SpendingRules = {
    buckets: options.buckets ?? openBuckets(config, options),
    isReported: config.headers,
    weights: config.weights,
    body: config.body,
    onUsedUp: createReport(sampler),
  };

  function ofAddress({ headers, remoteAddress }: Pick<Caller, 'headers' | 'remoteAddress'>): CallerBudget {
    if (remoteAddress === undefined) return UNLIMITED_BUDGET;
    return isOnlyRejections ? new RejectionBudget(() => meteredOf(remoteAddress, headers)) : meteredOf(remoteAddress, headers);
  }

  function meteredOf(remoteAddress: string, headers: RequestHeaders): MeteredBudget {
    // Address keys need no prefix, because no other key starts like an address. A prefix would allocate a string for each request.
    return new MeteredBudget(rules, networkOf(clientAddressOf(remoteAddress, headers, isProxy)), anonymous);
  }

  return {
    of(caller) {
      const { principal } = caller;
      if (principal.kind === 'anonymous' || key === 'address') return ofAddress(caller);
      const policy = policyOf(principal, caller.headers);
      const bucket = keyOf(principal, claim);
      return new MeteredBudget(rules, policy.client === undefined ? bucket : boundedKey(['', `client ${policy.client}`, bucket]), policy);
    },
    ofAddress,
  };
}

/** Selects where buckets are stored: in Redis, in the primary process of the workers, or in this process. */
function openBuckets({ maxCallers, instances }: BudgetConfig, { redis, primary, clock }: BudgetsOptions): Buckets | PrimaryBuckets {
  const local = createMemoryBuckets({ maxEntries: maxCallers, clock });
  // Without Redis, each worker of each machine uses its share.
  if (redis !== undefined) return createRedisBuckets({ redis, local, instances: instances * (primary?.workers ?? 1) });
  return primary === undefined ? local : createPrimaryBuckets({ primary, local, clock });
}

/** Returns the bucket key of a principal. A shared claim is scoped to its issuer, because another issuer may use the same value. */
function keyOf(principal: Principal, claim: string | undefined): string {
  const shared = claim !== undefined && Object.hasOwn(principal.claims, claim) ? principal.claims[claim] : undefined;
  if (typeof shared !== 'string' && typeof shared !== 'number') return principalKeyOf(principal);
  return boundedKey([principal.issuer ?? '', 'claim', String(shared)]);
}

/** Compiles the policy of a bucket. The window is the time in which an empty bucket fills completely. */
function compilePolicy(
  name: string,
  { capacity, refillPerSecond }: BucketRate,
  decision: Pick<BudgetPolicy, 'setting' | 'isEnforced' | 'client'>,
): BudgetPolicy {
  const window = Math.ceil(capacity / refillPerSecond);
  return { ...decision, capacity, refillPerSecond, policyField: `"${name}";q=${capacity};w=${window}`, limitField: `"${name}";r=` };
}

function createReport(sampler: LogSampler): SpendingRules['onUsedUp'] {
  return ({ setting, isEnforced, policyField: policy }, operation) => {
    const caller = setting === 'budget.anonymous' ? 'anonymous' : 'authenticated';
    const message = isEnforced
      ? `A request was rejected because the budget of its caller is used up. The setting ${setting} decides.`
      : 'A caller has exceeded its budget. The request is served because budget.mode is "measure".';
    sampler.warn(`${setting} ${isEnforced ? 'enforced' : 'measured'}`, message, () => ({
      setting,
      policy,
      caller,
      ...(operation?.name === undefined ? {} : { operation: operation.name }),
    }));
  };
}

/**
 * Authenticates the credentials of one request.
 *
 * @param remoteAddress address that is charged for invalid credentials; without it, failures are not charged
 * @throws GatewayError `UNAUTHENTICATED` for invalid credentials; `RATE_LIMITED` instead when the budget of the address is used up
 */
export type Authenticate = (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;

/** Wraps an authenticator so that each failed login is charged to the address of the client. */
export function chargeFailedLogins(authenticate: Authenticate, budgets: Budgets): Authenticate {
  return (headers, remoteAddress) => {
    const principal = authenticate(headers, remoteAddress);
    const hasCredentials = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
    // There is no address to charge, or no credentials that could be invalid.
    if (remoteAddress === undefined || !hasCredentials) return principal;
    return principal.catch(async (error: unknown) => {
      const isFailedLogin = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      if (isFailedLogin) await budgets.ofAddress({ headers, remoteAddress }).payFailedLogin();
      throw error;
    });
  };
}
