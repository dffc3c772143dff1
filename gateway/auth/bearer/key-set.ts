import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { createTextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Sleep, startPolling, Unreachable } from '../../platform/start-polling.ts';
import { credentialsUnverified } from '../authentication-errors.ts';
import { parseCredentialJson } from '../credentials-file.ts';

/** Public keys of an issuer, as read at one time. */
interface KeySet {
  /** Finds the key for the header of a token. @throws errors.JWKSNoMatchingKey when no key matches */
  readonly find: JWTVerifyGetKey;
  /** Keys in serialized form, for comparison with another key set. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Parses a JWK Set (RFC 7517, section 5).
 *
 * @throws Error when the text is not a JWK Set or contains no keys; an issuer without keys would reject all tokens
 */
export function parseKeySet(text: string): KeySet {
  const set = parseCredentialJson(text) as JSONWebKeySet;
  const find = createLocalJWKSet(set);
  if (set.keys.length === 0) throw new Error('the JWK Set contains no keys');
  return { find, keys: new Set(set.keys.map((key) => JSON.stringify(key))) };
}

/** Whether a key was removed, so that tokens signed with it must no longer be accepted. */
export function hasRemovedKeys(before: KeySet, after: KeySet): boolean {
  return [...before.keys].some((key) => !after.keys.has(key));
}

/** Number of key refreshes that clients may trigger in a burst. @unit requests */
const MAX_REFRESHES = 3;
/** Time after which one more refresh is allowed. @unit milliseconds */
const REFILL_MS = 30_000;

/**
 * Limits the key refreshes that clients trigger with unknown key ids: three, plus one every thirty seconds. Failed refreshes count as well.
 * Otherwise forged tokens could flood an identity provider that is down.
 *
 * @returns function that returns whether a refresh is allowed, and counts it
 */
function createRefreshBudget(clock: Clock): () => boolean {
  let left = MAX_REFRESHES;
  let refilledAt = clock.monotonic();
  return () => {
    const refills = Math.floor((clock.monotonic() - refilledAt) / REFILL_MS);
    left = Math.min(MAX_REFRESHES, left + refills);
    refilledAt += refills * REFILL_MS;
    if (left === 0) return false;
    left -= 1;
    return true;
  };
}

/** Public keys that are refreshed regularly. */
export interface FollowedKeys extends AsyncDisposable {
  /**
   * Finds the key for the header of a token.
   *
   * @throws GatewayError `AUTH_UNAVAILABLE` when keys are unavailable, errors.JWKSNoMatchingKey when no key matches
   */
  readonly find: JWTVerifyGetKey;
}

export interface KeyAddressOptions {
  /** Issuer whose keys are fetched, for messages. */
  readonly issuer: string;
  /** Path of the issuer in the configuration, for messages. */
  readonly setting: string;
  readonly url: string;
  /** Interval between two fetches. @unit milliseconds */
  readonly refreshIntervalMs: number;
  /** Timeout for a fetch. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** How long keys are trusted if newer ones are unavailable. @unit milliseconds */
  readonly maxStaleMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when at least one key is no longer trusted. */
  readonly onKeysRemoved: () => void;
  /** Waits between two fetches. @defaultValue a timer */
  readonly sleep?: Sleep | undefined;
}

/** Maximum size of a JWK Set. @unit bytes */
const MAX_BYTES = 65_536;
/** Maximum time that a request waits for keys that are being fetched. @unit milliseconds */
const MAX_WAIT_MS = 1_000;

/**
 * Polls the keys at a URL. When an identity provider is down or slow, requests are not affected, because the last keys remain in use. A
 * token with an unknown key id triggers an immediate fetch, within a budget.
 */
export function followKeyAddress(options: KeyAddressOptions): FollowedKeys {
  const { issuer, setting, url, refreshIntervalMs, requestTimeoutMs, maxStaleMs, clock, logger, onKeysRemoved, sleep } = options;
  const client = createTextClient();
  const closing = new AbortController();
  const mayRefresh = createRefreshBudget(clock);
  let current: { readonly set: KeySet; readonly readAt: number } | undefined;
  let reading: Promise<void> | undefined;
  let isFailing = false;
  /** Time of the last log entry about a failure, by the monotonic clock. @unit milliseconds */
  let loggedAt = -Infinity;

  async function read(): Promise<void> {
    const { status, text } = await client.fetch(
      { url, method: 'GET', headers: { accept: 'application/jwk-set+json, application/json' } },
      { timeoutMs: requestTimeoutMs, maxBytes: MAX_BYTES, signal: closing.signal },
    );
    if (status !== 200) throw new Unreachable(`${shownUrl(url)} responded with status ${status}.`);
    const before = current?.set;
    current = { set: parseResponse(text, url), readAt: clock.monotonic() };
    if (before !== undefined && hasRemovedKeys(before, current.set)) onKeysRemoved();
    if (isFailing) logger.info({ issuer, url: shownUrl(url) }, 'The keys of an issuer are available again.');
    isFailing = false;
  }

  /** Fetches the keys. Callers that arrive during a fetch share its result. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** Logs the first failure, and further ones at most once per interval. */
  function onFailure(error: unknown): void {
    const now = clock.monotonic();
    const isDue = !isFailing || now - loggedAt >= refreshIntervalMs;
    isFailing = true;
    if (!isDue || closing.signal.aborted) return;
    loggedAt = now;
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(
      { issuer, setting: `${setting}.jwksUrl`, url: shownUrl(url), reason },
      `The keys of an issuer cannot be fetched. ${effect()}`,
    );
  }

  /** Describes which keys are in use after a failed fetch. */
  function effect(): string {
    if (trusted() !== undefined) return 'The last keys remain in use.';
    const cause = current === undefined ? 'There are no earlier keys' : `The last keys are older than ${setting}.maxStaleMs`;
    return `${cause}, so tokens of this issuer cannot be checked, and requests with them receive AUTH_UNAVAILABLE (503).`;
  }

  /** Fetches the keys if the budget allows it, and waits at most `MAX_WAIT_MS`. */
  async function refreshForRequest(): Promise<void> {
    if (reading === undefined && !mayRefresh()) return;
    await atMost(MAX_WAIT_MS, refresh().catch(onFailure));
  }

  function trusted(): KeySet | undefined {
    return current !== undefined && clock.monotonic() - current.readAt <= maxStaleMs ? current.set : undefined;
  }

  const polling = startPolling({
    intervalMs: refreshIntervalMs,
    sleep,
    async look() {
      await refresh();
      return 0;
    },
    onFailure,
  });

  return {
    async find(header, token) {
      if (trusted() === undefined) await refreshForRequest();
      const set = trusted();
      if (set === undefined) throw credentialsUnverified();
      try {
        return await set.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await refreshForRequest();
        // The fetch has failed or is still running, so the key may exist.
        if (isFailing || reading !== undefined) throw credentialsUnverified(error);
        return await (trusted() ?? set).find(header, token);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await polling[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

function parseResponse(text: string, url: string): KeySet {
  try {
    return parseKeySet(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Unreachable(`${shownUrl(url)} responded with ${Buffer.byteLength(text)} bytes that are not a valid JWK Set: ${reason}.`, {
      cause,
    });
  }
}

/** Resolves when the work is done or the time has passed. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
