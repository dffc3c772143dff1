import { setTimeout as sleep } from 'node:timers/promises';

/** One payment that a client sends until it succeeds. */
export interface WantedPayment {
  readonly key: string;
  readonly amount: number;
  readonly token: string;
}

export interface PaidPayment extends WantedPayment {
  /** Response body, which was equal for the first success and for the repeated request. */
  readonly body: string;
  /** Requests that were sent. */
  readonly attempts: number;
  /** Whether a response was marked as a replay. */
  readonly wasReplayed: boolean;
}

/** Transient error codes, after which the client tries again. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_IN_PROGRESS',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_INVALID_RESPONSE',
  'CIRCUIT_OPEN',
  'GATEWAY_TIMEOUT',
  'OVERLOADED',
]);

/** Pause before the second attempt. It doubles for each further attempt, up to `LONGEST_PAUSE_MS`. @unit milliseconds */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 640;
/** Timeout of one request to a gateway. @unit milliseconds */
const PATIENCE_MS = 5_000;
/** Time after which an unfinished payment fails the test. @unit milliseconds */
const LONGEST_MS = 120_000;

/**
 * Pays as a careful client does: sends the same request with the same key until it succeeds, and then once more.
 *
 * @throws Error for a response that no client could handle, and for two different responses
 */
export async function payUntilSure(payment: WantedPayment, gatewayUrl: () => string | undefined): Promise<PaidPayment> {
  const giveUpAt = performance.now() + LONGEST_MS;
  const heard = new Map<string, number>();
  const bodies: string[] = [];
  let attempts = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let wasReplayed = false;
  while (bodies.length < 2) {
    if (performance.now() > giveUpAt) throw new Error(`${payment.key} was not paid: ${JSON.stringify([...heard])}`);
    attempts += 1;
    const response = await pay(payment, gatewayUrl());
    if (typeof response === 'string') {
      heard.set(response, (heard.get(response) ?? 0) + 1);
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      continue;
    }
    bodies.push(response.body);
    wasReplayed ||= response.isReplayed;
  }
  const [body = '', again] = bodies;
  if (body !== again) throw new Error(`${payment.key} has two different responses:\n${body}\n${String(again)}`);
  return { ...payment, body, attempts, wasReplayed };
}

/** Sends the payment once. Returns a short reason when it must be sent again. */
async function pay({ key, amount, token }: WantedPayment, url: string | undefined) {
  if (url === undefined) return 'no gateway';
  const response = await fetch(`${url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, authorization: `Bearer ${token}` },
    body: JSON.stringify({ amount, currency: 'EUR' }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  const body = await response?.text().catch(() => undefined); // The gateway may be killed while it sends the response.
  if (response === undefined || body === undefined) return 'no response';
  if (response.status === 201) return { body, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
  const { error } = JSON.parse(body) as { readonly error: string };
  if (TRANSIENT.has(error)) return error;
  throw new Error(`${key} received the status ${response.status}: ${body}`);
}
