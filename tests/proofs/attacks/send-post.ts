import { setTimeout as delay } from 'node:timers/promises';
import type { AttackTarget } from './attack.ts';

/** Until a request is sent again after its connection failed. @unit milliseconds */
const PAUSE_MS = 100;

/** Posts a GraphQL request and reads its response to the end. Failures are the gateway's defense, and are passed over. */
export async function sendPost(
  { url }: AttackTarget,
  body: string,
  { headers = {}, signal }: { readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const response = await fetch(new URL('/graphql', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    await response.arrayBuffer();
  } catch {
    if (!signal.aborted) await pause(PAUSE_MS, signal);
  }
}

/** Waits, and ends early without an error when the signal is aborted. @unit milliseconds */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
