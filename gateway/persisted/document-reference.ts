/** Which document a client wants to have executed: by its text, or by what it is known by, or by both. At least one is there. */
export interface DocumentReference {
  readonly text?: string;
  /** SHA-256 of the text in lower case, by the protocol of automatic persisted queries. */
  readonly sha256?: string;
  /** The id of a trusted document: what its manifest calls it, or the SHA-256 of its text, with `sha256:` before it or without. */
  readonly id?: string;
  /** Said by a door whose callers bring no documents but our own: the text is served though it stands in no manifest. Nothing of a request says it. */
  readonly isTrusted?: true;
}
