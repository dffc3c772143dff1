import type { DocumentStore } from './document-store.ts';
import type { RegistrationQuota } from './registration-quota.ts';

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
