import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, request } from 'undici';
import type { Clock } from '../../../gateway/platform/clock.ts';
import { DEFAULT_TIMEOUT_MS } from '../settings.ts';
import { type AttemptOutcome, outcomeOf } from './attempt-outcome.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { signMessage } from './sign-message.ts';
import { type TargetPolicy, TargetForbidden, readTarget, resolveTarget } from './target-policy.ts';

/** A message on its way. */
export interface Outgoing {
  readonly url: string;
  /** The `webhook-id`. */
  readonly messageId: string;
  readonly body: string;
  /** Those that sign at the moment, the newest first. */
  readonly secrets: readonly string[];
}

/** Makes one attempt. Never rejects. */
export interface Sender extends AsyncDisposable {
  send(message: Outgoing, signal: AbortSignal): Promise<AttemptOutcome>;
}

export interface SenderOptions {
  readonly policy: TargetPolicy;
  /** Until the receiver must have answered, connection included. @unit milliseconds @defaultValue 15000 */
  readonly timeoutMs?: number;
  readonly clock: Clock;
}

/** Of an answer; nobody reads what is in it. @unit bytes */
const MAX_ANSWER_BYTES = 16_384;

/**
 * Sends messages with connections of their own, one for each attempt: made to an address that was checked in the same look-up, by no
 * proxy, wherever the environment names one. No redirect is followed.
 */
export function openSender({ policy, timeoutMs = DEFAULT_TIMEOUT_MS, clock }: SenderOptions): Sender {
  const agent = new Agent({
    connect: { timeout: timeoutMs, lookup: lookUpBy(policy) },
    pipelining: 0, // no connection outlives the look-up that it was made by
  });

  async function send({ url, messageId, body, secrets }: Outgoing, signal: AbortSignal): Promise<AttemptOutcome> {
    const timestamp = Math.floor(clock.now() / 1_000);
    const answer = await request(readTarget(url, policy), {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gatefold-Webhooks/1',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage({ id: messageId, timestamp, body }, secrets),
      },
      body,
      signal,
    });
    const retryAfter = readRetryAfter(answer.headers['retry-after'], clock.now());
    // The status says it all. The rest is read so that the receiver does not see a connection that breaks.
    await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
    return outcomeOf(answer.statusCode, retryAfter);
  }

  return {
    async send(message, stop) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return await send(message, AbortSignal.any([timeout, stop]));
      } catch (error) {
        if (stop.aborted) return { kind: 'interrupted' };
        if (error instanceof TargetForbidden) return { kind: 'blocked', code: 'WEBHOOK_URL_FORBIDDEN' };
        return { kind: 'failed', code: timeout.aborted || isTimeout(error) ? 'RECEIVER_TIMEOUT' : 'RECEIVER_UNREACHABLE' };
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

/** The look-up that connections are made by: what it gives is what is connected to, and nobody asks again. */
function lookUpBy(policy: TargetPolicy): LookupFunction {
  const resolve = callbackify((hostname: string) => resolveTarget(hostname, policy));
  return (hostname, { all }, done) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) done(error ?? new Error(`${hostname} has no address.`), []);
      else if (all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}

const TIMEOUTS: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function isTimeout(error: unknown): boolean {
  return TIMEOUTS.has((error as { readonly code?: unknown }).code);
}
