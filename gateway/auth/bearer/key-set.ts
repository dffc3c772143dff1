import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { createTextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Sleep, startPolling, Unreachable } from '../../platform/start-polling.ts';
import { cannotTell } from '../authentication-errors.ts';
import { parseCredentialJson } from '../credentials-file.ts';

/** The public keys of an issuer, as one reading of them gave them. */
interface KeySet {
  /** @throws errors.JWKSNoMatchingKey where there is none for the header of a token */
  readonly find: JWTVerifyGetKey;
  /** Each key in full. */
  readonly keys: ReadonlySet<string>;
}

/**
 * A JWK Set (RFC 7517, section 5).
 *
 * @throws Error when the text is none, or has no key: an issuer without keys would refuse everybody
 */
export function parseKeySet(text: string): KeySet {
  const set = parseCredentialJson(text) as JSONWebKeySet;
  const find = createLocalJWKSet(set);
  if (set.keys.length === 0) throw new Error('there is no key in it');
  return { find, keys: new Set(set.keys.map((key) => JSON.stringify(key))) };
}

/** Whether tokens that the one set vouched for may be without a key in the other. */
export function hasLostKeys(before: KeySet, after: KeySet): boolean {
  return [...before.keys].some((key) => !after.keys.has(key));
}

/** How often clients may make us ask. @unit questions */
const MAX_REFRESHES = 3;
/** Until one more is granted. @unit milliseconds */
const REFILL_MS = 30_000;

/**
 * What clients may cause with keys that nobody knows: three questions, and one more every thirty seconds. Questions that fail
 * count as well, or tokens made up by anybody would storm an identity provider that is down.
 *
 * @returns whether one is granted; then it counts
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

/** Keys that are looked at again and again. */
export interface FollowedKeys extends AsyncDisposable {
  /** @throws GatewayError `AUTH_UNAVAILABLE` when nobody can tell, errors.JWKSNoMatchingKey when there is no such key */
  readonly find: JWTVerifyGetKey;
}

export interface KeyAddressOptions {
  readonly url: string;
  /** @unit milliseconds */
  readonly refreshIntervalMs: number;
  /** @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** How long keys are trusted when there are no newer ones. @unit milliseconds */
  readonly maxStaleMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Some of the keys are trusted no longer. */
  readonly onKeysLost: () => void;
  /** Between two looks. @defaultValue a timer */
  readonly sleep?: Sleep | undefined;
}

/** Largest JWK Set. @unit bytes */
const MAX_BYTES = 65_536;
/** How long a request waits for keys that are being read. @unit milliseconds */
const MAX_WAIT_MS = 1_000;

/**
 * The keys at an address, polled, so that an identity provider that is down or slow is nothing that requests would notice:
 * the last keys stay. A token of a key that is not known makes us ask at once, within a budget.
 */
export function followKeyAddress(options: KeyAddressOptions): FollowedKeys {
  const { url, refreshIntervalMs, requestTimeoutMs, maxStaleMs, clock, logger, onKeysLost, sleep } = options;
  const client = createTextClient();
  const closing = new AbortController();
  const mayRefresh = createRefreshBudget(clock);
  let current: { readonly set: KeySet; readonly readAt: number } | undefined;
  let reading: Promise<void> | undefined;
  let isFailing = false;

  async function read(): Promise<void> {
    const { status, text } = await client.fetch(
      { url, method: 'GET', headers: { accept: 'application/jwk-set+json, application/json' } },
      { timeoutMs: requestTimeoutMs, maxBytes: MAX_BYTES, signal: closing.signal },
    );
    if (status !== 200) throw new Unreachable(`${shownUrl(url)} answered with status ${status}.`);
    const before = current?.set;
    current = { set: parseAnswer(text, url), readAt: clock.monotonic() };
    if (before !== undefined && hasLostKeys(before, current.set)) onKeysLost();
    if (isFailing) logger.info({ url: shownUrl(url) }, 'keys of an issuer can be read again');
    isFailing = false;
  }

  /** One reading at a time: whoever wants one while it goes on gets its outcome. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function onFailure(error: unknown): void {
    if (!isFailing && !closing.signal.aborted) logger.warn({ err: error }, 'keys of an issuer cannot be read; the last ones stay');
    isFailing = true;
  }

  /** Asks, where that is granted, and waits as long as a request may. */
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
      if (set === undefined) throw cannotTell();
      try {
        return await set.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await refreshForRequest();
        // The key may be one that we would know by now.
        if (isFailing || reading !== undefined) throw cannotTell(error);
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

function parseAnswer(text: string, url: string): KeySet {
  try {
    return parseKeySet(text);
  } catch (cause) {
    throw new Unreachable(`${shownUrl(url)} answered with something that is no JWK Set.`, { cause });
  }
}

/** Resolves with the work, or without it when that takes too long. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
