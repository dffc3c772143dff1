import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, request } from 'undici';
import type { Clock } from '../../../gateway/platform/clock.ts';
import { DEFAULT_TIMEOUT_MS } from '../settings.ts';
import { type AttemptResult, resultOf } from './attempt-result.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { signMessage } from './sign-message.ts';
import { type TargetPolicy, TargetForbidden, readTarget, resolveTarget } from './target-policy.ts';

/** A message that is being sent. */
export interface Outgoing {
  readonly url: string;
  /** Value of the header `webhook-id`. */
  readonly messageId: string;
  readonly body: string;
  /** Current signing secrets, newest first. */
  readonly secrets: readonly string[];
  /** Value of the header `traceparent`. @defaultValue the header is not sent */
  readonly traceparent?: string | undefined;
}

/** Makes one attempt. Never rejects. */
export interface Sender extends AsyncDisposable {
  send(message: Outgoing, signal: AbortSignal): Promise<AttemptResult>;
}

export interface SenderOptions {
  readonly policy: TargetPolicy;
  /** Time for the response of the receiver, including the connection. @unit milliseconds @defaultValue 15000 */
  readonly timeoutMs?: number;
  readonly clock: Clock;
}

/** Maximum size of a response body that is read. Its content is ignored. @unit bytes */
const MAX_RESPONSE_BYTES = 16_384;

/**
 * Opens a sender. Each attempt uses a new connection to an address that was checked in the same DNS lookup. Proxies of the environment are
 * not used, and redirects are not followed.
 */
export function openSender({ policy, timeoutMs = DEFAULT_TIMEOUT_MS, clock }: SenderOptions): Sender {
  const agent = new Agent({
    connect: { timeout: timeoutMs, lookup: lookUpBy(policy) },
    pipelining: 0, // a connection is not reused after its DNS lookup
  });

  async function send({ url, messageId, body, secrets, traceparent }: Outgoing, signal: AbortSignal): Promise<AttemptResult> {
    const timestamp = Math.floor(clock.now() / 1_000);
    const response = await request(readTarget(url, policy), {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gatefold-Webhooks/1',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage({ id: messageId, timestamp, body }, secrets),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body,
      signal,
    });
    const retryAfter = readRetryAfter(response.headers['retry-after'], clock.now());
    // Only the status matters. The rest is read so that the receiver does not see a broken connection.
    await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
    return resultOf(response.statusCode, retryAfter);
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

/** Creates the lookup function for connections. The connection uses the returned address, without another lookup. */
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
