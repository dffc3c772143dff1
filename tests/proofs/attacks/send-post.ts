import { setTimeout as delay } from 'node:timers/promises';
import type { AttackTarget, Tally } from './attack.ts';

/** Delay before a request is sent again after its connection failed. @unit milliseconds */
const PAUSE_MS = 100;

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** Posts a GraphQL request, reads its response to the end and counts it. Failures are the gateway's defense, and are ignored. */
export async function sendPost({ url }: AttackTarget, body: string, { headers = {}, tally, signal }: PostOptions): Promise<void> {
  tally.sent += 1;
  try {
    const response = await fetch(new URL('/graphql', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    const text = await response.text();
    if (response.status === 200 && !text.includes('"errors":[')) tally.accepted += 1;
    else tally.rejected += 1;
  } catch {
    if (signal.aborted) return;
    tally.broken += 1;
    await pause(PAUSE_MS, signal);
  }
}

/**
 * Starts `send` at a rate, whether or not earlier calls have ended, with a bound on concurrent calls.
 *
 * @param perSecond number of calls started per second
 * @param maxPending maximum number of concurrent calls. At the maximum, no call is started.
 */
export async function sendAtRate(
  send: (index: number) => Promise<void>,
  { perSecond, maxPending, signal }: { readonly perSecond: number; readonly maxPending: number; readonly signal: AbortSignal },
): Promise<void> {
  const sending = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let index = 0; !signal.aborted; index += 1) {
    const early = startedAt + (index * 1_000) / perSecond - performance.now();
    if (early > 0) await pause(early, signal);
    if (sending.size >= maxPending) await Promise.race(sending);
    if (signal.aborted) break;
    const sent = send(index).finally(() => sending.delete(sent));
    sending.add(sent);
  }
  await Promise.all(sending);
}

/** Waits, and ends early without an error when the signal is aborted. @unit milliseconds */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
