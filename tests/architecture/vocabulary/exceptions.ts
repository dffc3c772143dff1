/** A word that a file may use although the glossary replaces it. */
export interface VocabularyException {
  readonly path: string;
  /** Words in lower case. */
  readonly words: readonly string[];
  readonly reason: string;
}

export const EXCEPTIONS: readonly VocabularyException[] = [];
