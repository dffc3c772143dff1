import { randomUUID } from 'node:crypto';
import { GatewayError } from '../platform/errors.ts';
import { anonymousClientOf, type InNetworks, type RequestOrigin } from '../platform/http/request/client-address.ts';
import { type Principal, principalKeyOf } from '../platform/principal.ts';
import {
  type Completion,
  fingerprintOf,
  hashOf,
  classify,
  type StoredResponse,
  type MutationResult,
  readRecord,
  type Retention,
  writeRecord,
} from './record.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';
import { inProgress, keyReused, keyWithoutOwner, resultUnknown, storeUnavailable, tooManyKeys } from './idempotency-errors.ts';

/** Request that must be executed once, even if it is sent repeatedly. */
export interface KeyedRequest {
  readonly principal: Principal;
  /** Distinguishes callers without credentials. @defaultValue unknown: nothing is stored for them */
  readonly origin?: RequestOrigin;
  /** Decoded value of the header. */
  readonly key: string;
  /** JSON values that distinguish this request from others: method, path and input. */
  readonly parts: readonly unknown[];
  /** Whether the key is forwarded to the service that applies the effect, and that service applies it once for each key. */
  readonly isPassedDown: boolean;
  /** Whether the response must not be stored because it contains a secret. Only its completion is stored then. @defaultValue false */
  readonly isNeverStored?: boolean;
}

/** One execution of the request. */
export interface ExecutionAttempt {
  /** Reports that no request was sent to a subgraph. */
  readonly noteUnsent: () => void;
}

/** Result of an execution in the format of its endpoint, and the properties that decide whether the request is completed. */
export interface Attempted {
  readonly completion: Completion;
  readonly result: MutationResult;
}

export interface IdempotentResponse {
  readonly httpResponse: StoredResponse;
  /** Whether this is a stored response. */
  readonly isReplayed: boolean;
}

/** Decides whether a stored response may be replayed. @param stored stored response; undefined for an error */
export type AdmitStored = (stored: StoredResponse | undefined) => void | Promise<void>;

export interface Idempotency {
  /**
   * Executes the request, or returns the stored result if it was executed before.
   *
   * @param execute executes the request; errors that it throws were raised before the execution, except for internal errors
   * @param authorizeReplay called before a stored response or error is replayed; checks permissions and charges the caller, which caused no
   * execution. An error that it throws is sent instead. @defaultValue every replay is sent
   * @returns response; its body is undefined if it was not stored
   * @throws GatewayError `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `OUTCOME_UNKNOWN`, `IDEMPOTENCY_UNAVAILABLE`, `RATE_LIMITED`
   * for too many keys, `UNAUTHENTICATED` for an anonymous key that only the gateway would use; and the errors of `execute`, with
   * `Idempotent-Replayed` if they were stored
   */
  once(
    request: KeyedRequest,
    execute: (attempt: ExecutionAttempt) => Promise<Attempted>,
    authorizeReplay?: AdmitStored,
  ): Promise<IdempotentResponse>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** Maximum size of a stored response body. @unit bytes */
  readonly maxResponseBytes: number;
  /** Returns whether an address is a trusted proxy, whose forwarding headers are accepted. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
}

/** Header that marks a response as replayed. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** Codes of requests that were rejected before anything was sent to a subgraph, although the client made no mistake. */
const TURNED_AWAY: ReadonlySet<string> = new Set(['MAINTENANCE', 'NO_SUPERGRAPH', 'OVERLOADED', 'AUTH_UNAVAILABLE']);

/** Creates the state machine of idempotency keys (docs/guides/idempotency.md). */
export function createIdempotency({ store, maxResponseBytes, isProxy }: IdempotencyOptions): Idempotency {
  type Execute = Parameters<Idempotency['once']>[1];
  interface Again {
    readonly record: string;
    readonly isPassedDown: boolean;
    readonly authorizeReplay: AdmitStored | undefined;
  }

  async function make({ isPassedDown, isNeverStored = false }: KeyedRequest, claim: Claim, execute: Execute): Promise<IdempotentResponse> {
    let isUnsent = false;
    const noteUnsent = (): void => void (isUnsent = true);
    const attempted = await execute({ noteUnsent }).catch(async (error: unknown) => {
      await settle(claim, isPassedDown || isUnsent || wasTurnedAway(error) ? 'release' : 'unknown');
      throw error;
    });
    const retention = classify(attempted.result, { isPassedDown, isUnsent });
    await settle(claim, retention, isNeverStored ? withoutBody(attempted.completion) : attempted.completion);
    return respond(attempted.completion, false);
  }

  async function settle(claim: Claim, retention: Retention, completion?: Completion): Promise<void> {
    if (retention === 'release') await store.release(claim);
    else {
      const storedRecord = retention === 'store' && completion !== undefined ? completion : { error: resultUnknown() };
      await store.complete(claim, writeRecord(storedRecord, maxResponseBytes));
    }
  }

  /** Replays a stored record. If the response body was not stored, the request is executed again if that is safe. */
  async function replay({ record, isPassedDown, authorizeReplay }: Again, execute: Execute): Promise<IdempotentResponse> {
    const storedRecord = readRecord(record);
    if ('httpResponse' in storedRecord && storedRecord.httpResponse.body === undefined && isPassedDown) {
      const { completion } = await execute({ noteUnsent: () => {} });
      return respond(completion, true);
    }
    await authorizeReplay?.('httpResponse' in storedRecord ? storedRecord.httpResponse : undefined);
    return respond(storedRecord, true);
  }

  async function giveUp(claim: Claim): Promise<never> {
    await settle(claim, 'unknown');
    throw resultUnknown();
  }

  return {
    async once(request, execute, authorizeReplay) {
      const { principal, key, parts, isPassedDown } = request;
      const isAnonymous = principal.kind === 'anonymous';
      const client = isAnonymous && request.origin !== undefined ? anonymousClientOf(request.origin, isProxy) : undefined;
      if (isAnonymous && !isPassedDown) throw keyWithoutOwner();
      if (isAnonymous && client === undefined) return respond((await execute({ noteUnsent: () => {} })).completion, false);
      const owner = hashOf(client === undefined ? principalKeyOf(principal) : `anonymous:${client}`);
      const claim: Claim = { owner, key: hashOf(key), fingerprint: fingerprintOf(parts), token: randomUUID() };
      const keyState = await store.begin(claim);
      switch (keyState?.state) {
        case 'new':
          return make(request, claim, execute);
        case 'abandoned':
          return isPassedDown ? make(request, claim, execute) : giveUp(claim);
        case 'done':
          return replay({ record: keyState.record, isPassedDown, authorizeReplay }, execute);
        case 'busy':
          throw inProgress();
        case 'reused':
          throw keyReused();
        case 'full':
          throw tooManyKeys(keyState.retryAfterMs);
        case undefined:
        default:
          if (isPassedDown) return make(request, claim, execute);
          void store.release(claim); // The store may have received the attempt although its response was lost.
          throw storeUnavailable();
      }
    },
  };
}

function withoutBody(completion: Completion): Completion {
  return 'httpResponse' in completion ? { httpResponse: { ...completion.httpResponse, body: undefined } } : completion;
}

function respond(completion: Completion, isReplayed: boolean): IdempotentResponse {
  if ('httpResponse' in completion) return { httpResponse: completion.httpResponse, isReplayed };
  const { error } = completion;
  if (!isReplayed) throw error;
  const { status, code, message, details, headers } = error;
  throw new GatewayError(code, message, { status, details, headers: { ...headers, ...REPLAYED } });
}

function wasTurnedAway(error: unknown): boolean {
  return error instanceof GatewayError && (error.status < 500 || TURNED_AWAY.has(error.code));
}
