import type { Clock } from '../platform/clock.ts';
import { IdentityRejected } from './identity-rejected.ts';
import { type FindVerificationKey, readIdentityKeySet, type VerificationKey } from './verification-keys.ts';

export interface FetchedKeysOptions {
  /** URL of the JWK Set. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** Minimum time between two fetches, so that forged key ids cannot flood the gateway. @unit milliseconds */
const MIN_INTERVAL_MS = 5_000;
/** Age from which keys are fetched again, so that a removed key is not trusted forever. @unit milliseconds */
const MAX_AGE_MS = 300_000;
/** Timeout of a fetch. @unit milliseconds */
const TIMEOUT_MS = 5_000;
/** Maximum length of a JWK Set. @unit characters */
const MAX_LENGTH = 65_536;

/**
 * Fetches the public keys of the gateway at the first token, for an unknown key id, and when the keys are older than five minutes, but at
 * most once in five seconds. While the gateway cannot be reached, the last keys remain in use.
 *
 * @throws TypeError when the URL is not an HTTP URL
 */
export function createFetchedKeys({ url, fetch, clock }: FetchedKeysOptions): FindVerificationKey {
  const address = toHttpUrl(url);
  let keys: ReadonlyMap<string, VerificationKey> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      keys = await fetchKeySet(address, fetch);
      readAt = clock.monotonic();
      failure = undefined;
    } catch (cause) {
      failure = cause;
    } finally {
      reading = undefined;
    }
  }

  /** Fetches the keys if the last fetch is long enough ago. Requests that arrive during a fetch share its result. */
  async function refresh(): Promise<void> {
    if (reading === undefined) {
      if (clock.monotonic() - triedAt < MIN_INTERVAL_MS) return;
      triedAt = clock.monotonic();
      reading = read();
    }
    await reading;
  }

  return async (keyId) => {
    const known = keys?.get(keyId ?? '');
    if (known === undefined) await refresh();
    // The request does not wait, because the key is probably still valid. A failed fetch is reported when there is no key.
    else if (clock.monotonic() - readAt > MAX_AGE_MS) void refresh();
    if (keys !== undefined) return known ?? keys.get(keyId ?? '');
    throw new IdentityRejected(
      'KEYS_UNAVAILABLE',
      `The public keys of the gateway cannot be fetched from ${address.origin}${address.pathname}.`,
      {
        cause: failure,
      },
    );
  };
}

async function fetchKeySet(url: URL, fetch: typeof globalThis.fetch): Promise<ReadonlyMap<string, VerificationKey>> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The URL responded with status ${response.status} instead of a JWK Set.`);
  if (text.length > MAX_LENGTH) throw new Error(`The response has more than ${MAX_LENGTH} characters.`);
  return readIdentityKeySet(JSON.parse(text));
}

function toHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError('The option "jwksUrl" of an identity verifier must be an http:// or https:// URL.');
}
