import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { lazy } from '../platform/lazy.ts';
import type { DocumentStore } from './document-store.ts';

/** Limits how many documents each client may register. */
interface RegistrationQuota {
  /** Takes one registration of the client; false if none is left. */
  take(client: string): boolean;
}

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was computed, by the monotonic clock. @unit milliseconds */
  countedAt: number;
}

/** Maximum number of clients that are tracked. An evicted client starts with a full bucket. @unit clients */
const MAX_CLIENTS = 10_000;

/** Creates a token bucket for each client, which refills continuously. */
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

/** Documents that clients have sent once and reference by their SHA-256 hash afterwards. */
export interface AutomaticDocuments {
  /** Finds a text by its hash. Returns no promise if the text is in this process. */
  find(sha256: string): string | undefined | Promise<string | undefined>;
  /**
   * Stores a valid document. Documents that are too long, or of clients that have registered too many recently, are not stored. The client
   * is not notified and sends the text again next time.
   *
   * @param client client that sent the document
   */
  register(sha256: string, text: string, client: string): void;
}

export interface AutomaticDocumentsDependencies {
  readonly store: DocumentStore;
  readonly quota: RegistrationQuota;
  /** Maximum size of a stored document. @unit bytes */
  readonly maxDocumentBytes: number;
}

export function createAutomaticDocuments({ store, quota, maxDocumentBytes }: AutomaticDocumentsDependencies): AutomaticDocuments {
  return {
    find: (sha256) => store.get(sha256),
    register(sha256, text, client) {
      if (Buffer.byteLength(text) > maxDocumentBytes || store.has(sha256) || !quota.take(client)) return;
      store.set(sha256, text);
    },
  };
}
