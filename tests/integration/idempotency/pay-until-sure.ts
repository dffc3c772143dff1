import { setTimeout as sleep } from 'node:timers/promises';

/** One payment that a client wants to have made, however long it takes. */
export interface WantedPayment {
  readonly key: string;
  readonly amount: number;
  readonly token: string;
}

export interface PaidPayment extends WantedPayment {
  /** The body that the client was told first, and again when it asked once more. */
  readonly body: string;
  /** Requests that were sent. */
  readonly attempts: number;
  /** Whether an answer said that it was given before. */
  readonly wasReplayed: boolean;
}

/** Refusals that say nothing against the payment: it is tried again. */
const PASSING: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_IN_PROGRESS',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_INVALID_RESPONSE',
  'CIRCUIT_OPEN',
  'GATEWAY_TIMEOUT',
  'OVERLOADED',
]);

/** Before the second attempt; twice as long before each further one, up to the longest. @unit milliseconds */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 640;
/** Until a client gives up on a gateway. @unit milliseconds */
const PATIENCE_MS = 5_000;
/** Until a payment that is not made is a failure of the proof. @unit milliseconds */
const LONGEST_MS = 120_000;

/**
 * Pays as a careful client does: sends the same request with the same key until it is answered, and then once more.
 *
 * @throws Error for an answer that no client could make anything of, and for two answers that differ
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
    const answer = await pay(payment, gatewayUrl());
    if (typeof answer === 'string') {
      heard.set(answer, (heard.get(answer) ?? 0) + 1);
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      continue;
    }
    bodies.push(answer.body);
    wasReplayed ||= answer.isReplayed;
  }
  const [body = '', again] = bodies;
  if (body !== again) throw new Error(`${payment.key} has two answers:\n${body}\n${String(again)}`);
  return { ...payment, body, attempts, wasReplayed };
}

/** The reason in a word where it has to be tried again. */
async function pay({ key, amount, token }: WantedPayment, url: string | undefined) {
  if (url === undefined) return 'no gateway';
  const response = await fetch(`${url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, authorization: `Bearer ${token}` },
    body: JSON.stringify({ amount, currency: 'EUR' }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  const body = await response?.text().catch(() => undefined); // the gateway may be killed while it answers
  if (response === undefined || body === undefined) return 'no answer';
  if (response.status === 201) return { body, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
  const { error } = JSON.parse(body) as { readonly error: string };
  if (PASSING.has(error)) return error;
  throw new Error(`${key} was answered ${response.status}: ${body}`);
}
