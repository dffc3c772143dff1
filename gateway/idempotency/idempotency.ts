import { randomUUID } from 'node:crypto';
import { GatewayError } from '../platform/errors.ts';
import { anonymousClientOf, type InNetworks, type RequestOrigin } from '../platform/http/request/client-address.ts';
import { type Principal, principalKeyOf } from '../platform/principal.ts';
import {
  type Conclusion,
  fingerprintOf,
  hashOf,
  judge,
  type KeptReply,
  type MutationOutcome,
  readRecord,
  type Verdict,
  writeRecord,
} from './record.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';
import { inProgress, keyReused, keyWithoutOwner, outcomeUnknown, storeUnavailable, tooManyKeys } from './idempotency-errors.ts';

/** A request that is to be made once, however often it comes. */
export interface KeyedRequest {
  readonly principal: Principal;
  /** Tells callers without credentials apart. @defaultValue unknown: nothing is kept for them */
  readonly origin?: RequestOrigin;
  /** What the header says, decoded. */
  readonly key: string;
  /** What makes it another request, as JSON: method, place, input. */
  readonly parts: readonly unknown[];
  /** Whether the key goes down to whoever has the effect, and has it once for one key. */
  readonly isPassedDown: boolean;
  /** Whether nobody may keep the answer, because a secret is in it: then it is known that it was given, and not what it was. @defaultValue false */
  readonly isNeverStored?: boolean;
}

/** One execution of the request. */
export interface ExecutionAttempt {
  /** To be called when it is certain that nobody was asked to do anything. */
  readonly noteUnsent: () => void;
}

/** What an execution came to, in the words of its door and as far as it decides whether the request is done. */
export interface Attempted {
  readonly conclusion: Conclusion;
  readonly outcome: MutationOutcome;
}

export interface IdempotentResponse {
  readonly reply: KeptReply;
  /** Whether this is what was answered before. */
  readonly isReplayed: boolean;
}

/** @param stored the response; undefined for a refusal */
export type AdmitStored = (stored: KeptReply | undefined) => void | Promise<void>;

export interface Idempotency {
  /**
   * Makes the request, or gives what it came to when it was made before.
   *
   * @param execute what it throws was refused before it was executed, but for failures of ours
   * @param admitReplay called before the stored response or refusal is sent again: checks rights and charges the caller, who caused
   *   no execution. An error that it throws is sent instead. @defaultValue every replay is sent
   * @returns of a reply that was not kept, the body is undefined
   * @throws GatewayError `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `OUTCOME_UNKNOWN`, `IDEMPOTENCY_UNAVAILABLE`,
   *   `RATE_LIMITED` for too many keys, `UNAUTHENTICATED` for a key that nobody but the gateway would look at; and what `execute`
   *   throws or concludes in, with `Idempotent-Replayed` where it did so before
   */
  once(
    request: KeyedRequest,
    execute: (attempt: ExecutionAttempt) => Promise<Attempted>,
    admitReplay?: AdmitStored,
  ): Promise<IdempotentResponse>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** @unit bytes */
  readonly maxReplyBytes: number;
  /** Tells proxies, whose word on their clients is believed. @defaultValue there are none */
  readonly isProxy?: InNetworks | undefined;
}

/** Says of an answer that it was given before. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** Whoever has one of these was turned away before anything was asked of a subgraph, though it is no mistake of theirs. */
const TURNED_AWAY: ReadonlySet<string> = new Set(['MAINTENANCE', 'NO_SUPERGRAPH', 'OVERLOADED', 'AUTH_UNAVAILABLE']);

/** The states that a key goes through (docs/idempotency.md). */
export function createIdempotency({ store, maxReplyBytes, isProxy }: IdempotencyOptions): Idempotency {
  type Execute = Parameters<Idempotency['once']>[1];
  interface Again {
    readonly record: string;
    readonly isPassedDown: boolean;
    readonly admitReplay: AdmitStored | undefined;
  }

  async function make({ isPassedDown, isNeverStored = false }: KeyedRequest, claim: Claim, execute: Execute): Promise<IdempotentResponse> {
    let isUnsent = false;
    const noteUnsent = (): void => void (isUnsent = true);
    const attempted = await execute({ noteUnsent }).catch(async (error: unknown) => {
      await settle(claim, isPassedDown || isUnsent || wasTurnedAway(error) ? 'release' : 'unknown');
      throw error;
    });
    const verdict = judge(attempted.outcome, { isPassedDown, isUnsent });
    await settle(claim, verdict, isNeverStored ? withoutBody(attempted.conclusion) : attempted.conclusion);
    return answer(attempted.conclusion, false);
  }

  async function settle(claim: Claim, verdict: Verdict, conclusion?: Conclusion): Promise<void> {
    if (verdict === 'release') await store.release(claim);
    else {
      const kept = verdict === 'keep' && conclusion !== undefined ? conclusion : { refusal: outcomeUnknown() };
      await store.complete(claim, writeRecord(kept, maxReplyBytes));
    }
  }

  /** An answer that was not kept is made again where that is safe. */
  async function replay({ record, isPassedDown, admitReplay }: Again, execute: Execute): Promise<IdempotentResponse> {
    const kept = readRecord(record);
    if ('reply' in kept && kept.reply.body === undefined && isPassedDown) {
      const { conclusion } = await execute({ noteUnsent: () => {} });
      return answer(conclusion, true);
    }
    await admitReplay?.('reply' in kept ? kept.reply : undefined);
    return answer(kept, true);
  }

  async function giveUp(claim: Claim): Promise<never> {
    await settle(claim, 'unknown');
    throw outcomeUnknown();
  }

  return {
    async once(request, execute, admitReplay) {
      const { principal, key, parts, isPassedDown } = request;
      const isAnonymous = principal.kind === 'anonymous';
      const client = isAnonymous && request.origin !== undefined ? anonymousClientOf(request.origin, isProxy) : undefined;
      if (isAnonymous && !isPassedDown) throw keyWithoutOwner();
      if (isAnonymous && client === undefined) return answer((await execute({ noteUnsent: () => {} })).conclusion, false);
      const owner = hashOf(client === undefined ? principalKeyOf(principal) : `anonymous:${client}`);
      const claim: Claim = { owner, key: hashOf(key), fingerprint: fingerprintOf(parts), token: randomUUID() };
      const standing = await store.begin(claim);
      switch (standing?.state) {
        case 'new':
          return make(request, claim, execute);
        case 'abandoned':
          return isPassedDown ? make(request, claim, execute) : giveUp(claim);
        case 'done':
          return replay({ record: standing.record, isPassedDown, admitReplay }, execute);
        case 'busy':
          throw inProgress();
        case 'reused':
          throw keyReused();
        case 'full':
          throw tooManyKeys(standing.retryAfterMs);
        case undefined:
        default:
          if (isPassedDown) return make(request, claim, execute);
          void store.release(claim); // it may have been heard after all
          throw storeUnavailable();
      }
    },
  };
}

function withoutBody(conclusion: Conclusion): Conclusion {
  return 'reply' in conclusion ? { reply: { ...conclusion.reply, body: undefined } } : conclusion;
}

function answer(conclusion: Conclusion, isReplayed: boolean): IdempotentResponse {
  if ('reply' in conclusion) return { reply: conclusion.reply, isReplayed };
  const { refusal } = conclusion;
  if (!isReplayed) throw refusal;
  const { status, code, message, details, headers } = refusal;
  throw new GatewayError(code, message, { status, details, headers: { ...headers, ...REPLAYED } });
}

function wasTurnedAway(error: unknown): boolean {
  return error instanceof GatewayError && (error.status < 500 || TURNED_AWAY.has(error.code));
}
