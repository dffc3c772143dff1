/** Texts by their SHA-256, bounded and for a while. It is a cache: it never throws, and may have lost anything. */
export interface DocumentStore {
  /** Without a promise where the text is at hand. What comes back has been verified against its key. */
  get(sha256: string): string | undefined | Promise<string | undefined>;
  /** Whether the text is at hand in this process. */
  has(sha256: string): boolean;
  /** @param text what the key is the SHA-256 of */
  set(sha256: string, text: string): void;
}

export interface DocumentStoreLimits {
  /** @unit documents */
  readonly maxEntries: number;
  /** What the texts may take. @unit bytes */
  readonly maxBytes: number;
  /** How long a text is kept after it was set. @unit milliseconds */
  readonly timeToLiveMs: number;
}
