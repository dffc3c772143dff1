import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';
import type { DocumentStore } from './document-store.ts';

/** How many documents each client may still add. */
interface RegistrationQuota {
  /** Takes one of the client's; false when none is left. */
  take(client: string): boolean;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was counted. @unit milliseconds of the monotonic clock */
  countedAt: number;
}

/** Clients that are remembered; one that is forgotten begins anew. @unit clients */
const MAX_CLIENTS = 10_000;

/** A bucket for each client, filled again steadily. */
export function createRegistrationQuota(perMinute: number, clock: Clock): RegistrationQuota {
  const buckets = lazy(() => new LRUCache<string, Bucket>({ max: MAX_CLIENTS }));
  return {
    take(client) {
      const now = clock.monotonic();
      const { tokens, countedAt } = buckets().get(client) ?? { tokens: perMinute, countedAt: now };
      const available = Math.min(perMinute, tokens + ((now - countedAt) * perMinute) / 60_000);
      const isGranted = available >= 1;
      buckets().set(client, { tokens: isGranted ? available - 1 : available, countedAt: now });
      return isGranted;
    },
  };
}

/** Documents that clients have sent once and name by their SHA-256 from then on. */
export interface AutomaticDocuments {
  /** Without a promise where the text is at hand. */
  find(sha256: string): string | undefined | Promise<string | undefined>;
  /**
   * Keeps a document that was found good. One that is too long, or of a client that has added too many lately, is not kept:
   * the client hears nothing of it, and sends the text again the next time.
   *
   * @param client who sent it
   */
  register(sha256: string, text: string, client: string): void;
}

export interface AutomaticDocumentsParts {
  readonly store: DocumentStore;
  readonly quota: RegistrationQuota;
  /** Longest document that is kept. @unit bytes */
  readonly maxDocumentBytes: number;
}

export function createAutomaticDocuments({ store, quota, maxDocumentBytes }: AutomaticDocumentsParts): AutomaticDocuments {
  return {
    find: (sha256) => store.get(sha256),
    register(sha256, text, client) {
      if (Buffer.byteLength(text) > maxDocumentBytes || store.has(sha256) || !quota.take(client)) return;
      store.set(sha256, text);
    },
  };
}
