import type { BudgetConfig } from '../config/sections/budget.ts';
import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { clientAddressOf, type InNetworks, networkOf } from '../platform/http/request/client-address.ts';
import type { Logger } from '../platform/logger.ts';
import { boundedKey, type Principal, principalKeyOf } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { type BucketRate, createMemoryBuckets } from './buckets.ts';
import { type BudgetPolicy, type CallerBudget, MeteredBudget, type SpendingRules, UNLIMITED_BUDGET } from './caller-budget.ts';
import { createRedisBuckets } from './redis-buckets.ts';

/** Who asks, and from where. */
export interface Caller {
  readonly principal: Principal;
  readonly headers: RequestHeaders;
  /** Address of the other end of the connection. */
  readonly remoteAddress?: string;
}

export interface Budgets {
  /** Budget of a caller. `UNLIMITED_BUDGET` for callers without credentials whose address is not known: there is nobody to charge. */
  of(caller: Caller): CallerBudget;
  /** Budget of callers without credentials at an address. */
  ofAddress(caller: Pick<Caller, 'headers' | 'remoteAddress'>): CallerBudget;
}

/** Budgets that charge nobody, where they are switched off. */
export const UNLIMITED_BUDGETS: Budgets = { of: () => UNLIMITED_BUDGET, ofAddress: () => UNLIMITED_BUDGET };

export interface BudgetsOptions {
  /** Tells proxies of ours. @defaultValue there are none */
  readonly isProxy?: InNetworks | undefined;
  /** Shared by all gateways. @defaultValue budgets are kept in this process */
  readonly redis: SharedRedis | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the budgets of all callers by the section `budget`. */
export function createBudgets(config: BudgetConfig, { isProxy, redis, clock, logger }: BudgetsOptions): Budgets {
  if (config.mode === 'off') return UNLIMITED_BUDGETS;
  const { key, claim, instances } = config;
  const local = createMemoryBuckets({ maxEntries: config.maxCallers, clock });
  const signedIn = compilePolicy('signed-in', config.signedIn);
  const anonymous = compilePolicy('anonymous', config.anonymous);
  const rules: SpendingRules = {
    buckets: redis === undefined ? local : createRedisBuckets({ redis, local, instances }),
    isEnforced: config.mode === 'enforce',
    isTold: config.headers,
    weights: config.weights,
    body: config.body,
    onOverspent: reportOnce(logger),
  };

  function ofAddress({ headers, remoteAddress }: Pick<Caller, 'headers' | 'remoteAddress'>): CallerBudget {
    if (remoteAddress === undefined) return UNLIMITED_BUDGET;
    // An address begins like none of the other keys; to put a word before it would cost a new text for each request.
    return new MeteredBudget(rules, networkOf(clientAddressOf(remoteAddress, headers, isProxy)), anonymous);
  }

  return {
    of(caller) {
      const { principal } = caller;
      if (principal.kind === 'anonymous' || key === 'address') return ofAddress(caller);
      return new MeteredBudget(rules, keyOf(principal, claim), signedIn);
    },
    ofAddress,
  };
}

/** A claim that several callers share is one of their issuer: another issuer may give the same value to others. */
function keyOf(principal: Principal, claim: string | undefined): string {
  const shared = claim !== undefined && Object.hasOwn(principal.claims, claim) ? principal.claims[claim] : undefined;
  if (typeof shared !== 'string' && typeof shared !== 'number') return principalKeyOf(principal);
  return boundedKey([principal.issuer ?? '', 'claim', String(shared)]);
}

/** The window is the time in which an empty bucket fills. */
function compilePolicy(name: string, { capacity, refillPerSecond }: BucketRate): BudgetPolicy {
  const window = Math.ceil(capacity / refillPerSecond);
  return { capacity, refillPerSecond, policyField: `"${name}";q=${capacity};w=${window}`, limitField: `"${name}";r=` };
}

function reportOnce(logger: Logger): SpendingRules['onOverspent'] {
  let isReported = false;
  return ({ policyField }) => {
    if (isReported) return;
    isReported = true;
    logger.warn({ policy: policyField }, 'A caller has spent more than its budget, and is served because budgets are only measured.');
  };
}

/**
 * Credentials of one request to the caller's principal.
 *
 * @param remoteAddress who pays for credentials that are not good; nobody where it is absent
 * @throws GatewayError `UNAUTHENTICATED`; `RATE_LIMITED` in its place to an address whose budget is used up
 */
export type Authenticate = (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;

/** An authenticator of which each failure costs the address that it comes from. */
export function chargeFailedLogins(authenticate: Authenticate, budgets: Budgets): Authenticate {
  return (headers, remoteAddress) => {
    const principal = authenticate(headers, remoteAddress);
    const hasCredentials = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
    if (remoteAddress === undefined || !hasCredentials) return principal; // nobody to charge, or nothing that could fail
    return principal.catch(async (error: unknown) => {
      const isFailedLogin = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      if (isFailedLogin) await budgets.ofAddress({ headers, remoteAddress }).payFailedLogin();
      throw error;
    });
  };
}
