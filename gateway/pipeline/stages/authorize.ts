import type { OperationAuthorization } from '../../authorization/operation-authorization.ts';
import type { PolicyDecisions } from '../../authorization/requirement.ts';
import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import type { Logger } from '../../platform/logger.ts';
import { chain, type MaybePromise } from '../../platform/maybe-promise.ts';
import type { Principal } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/**
 * Decides which policies of `@policy` a caller fulfills: it returns their names, or an object in which they are `true`. Called once per
 * request, and only for policies that its operation depends on. When it throws or exceeds the time limit, fields that depend on the
 * policies are denied with `AUTH_UNAVAILABLE`.
 */
export type PoliciesHook = (
  policies: readonly string[],
  principal: Principal,
  request: OperationRequest,
) => PolicyResult | Promise<PolicyResult>;

/** Names of the fulfilled policies, or a boolean by policy name. */
export type PolicyResult = Iterable<string> | Readonly<Record<string, boolean>>;

export interface AccessDeciderOptions {
  /** Decides policies. When it is undefined, no caller fulfills any. */
  readonly policies: PoliciesHook | undefined;
  /** @unit milliseconds */
  readonly policyTimeoutMs: number;
  readonly logger: Logger;
}

type Rules = Pick<OperationAuthorization, 'policies' | 'decide'>;

/** Decides which fields of an operation the caller may read. Returns a promise only when policies must be decided. */
export type AccessDecider = (rules: Rules, request: OperationRequest) => MaybePromise<string>;

/** Decides the permissions of a prepared operation, and reports them to the request. Undefined for an operation without rules. */
export type Authorize = (
  operation: Pick<PreparedOperation, 'authorization'>,
  request: OperationRequest,
) => MaybePromise<string | undefined>;

export function createAuthorize(decideAccess: AccessDecider): Authorize {
  return ({ authorization }, request) => {
    if (authorization === undefined) return undefined;
    return chain(decideAccess(authorization, request), (access) => {
      request.onAccess?.(authorization.describe(access));
      return access;
    });
  };
}

export function createAccessDecider(options: AccessDeciderOptions): AccessDecider {
  const { policies: hook, policyTimeoutMs, logger } = options;

  async function decideByPolicy(names: readonly string[], request: OperationRequest, decide: PoliciesHook): Promise<PolicyDecisions> {
    const timeout = createTimeout(policyTimeoutMs);
    try {
      return toDecisions(names, await Promise.race([decide(names, request.principal, request), timeout.over]));
    } catch (err) {
      logger.error({ err, policies: names }, 'The policies could not be decided. Fields that depend on them are denied.');
      return new Map(names.map((name) => [name, undefined]));
    } finally {
      timeout.cancel();
    }
  }

  return ({ policies, decide }, request) => {
    if (policies.length === 0 || hook === undefined) return decide(request.principal);
    return decideByPolicy(policies, request, hook).then((decided) => decide(request.principal, decided));
  };
}

function createTimeout(timeoutMs: number): { readonly over: Promise<never>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The policies hook did not return within ${timeoutMs} ms.`)), timeoutMs);
  });
  return { over, cancel: () => clearTimeout(timer) };
}

function toDecisions(names: readonly string[], response: unknown): PolicyDecisions {
  if (typeof response !== 'object' || response === null)
    throw new TypeError('The policies hook returned neither an iterable of names nor an object.');
  if (Symbol.iterator in response) {
    const fulfilled = new Set(response as Iterable<unknown>);
    return new Map(names.map((name) => [name, fulfilled.has(name)]));
  }
  const byName = response as Readonly<Record<string, unknown>>;
  return new Map(names.map((name) => [name, Object.hasOwn(byName, name) && byName[name] === true]));
}
