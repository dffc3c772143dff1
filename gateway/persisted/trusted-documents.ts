import { sha256Of } from './sha256.ts';

/** A document that stands in a manifest. */
export interface TrustedDocument {
  readonly id: string;
  readonly text: string;
  /** Whose it is. */
  readonly client: string;
}

/** The documents of all manifests. */
export interface TrustedDocuments {
  /** By an id of a manifest, or by the SHA-256 of the text. */
  textOf(id: string): string | undefined;
  /** Whether a text is one of them, character by character. */
  has(text: string): boolean;
  all(): readonly TrustedDocument[];
}

/** @throws Error when one id names two documents */
export function indexDocuments(documents: readonly TrustedDocument[]): TrustedDocuments {
  const byId = new Map<string, TrustedDocument>();
  for (const document of documents) {
    const { id, text, client } = byId.get(document.id) ?? document;
    if (text !== document.text) throw new Error(`the id "${id}" names one document of ${client}, and another one of ${document.client}`);
    byId.set(id, document);
  }
  const byText = new Map<string, TrustedDocument>();
  for (const document of documents) if (!byText.has(document.text)) byText.set(document.text, document);
  const byHash = new Map([...byText.keys()].map((text) => [sha256Of(text), text]));
  const distinct = [...byText.values()];
  return {
    textOf: (id) => byId.get(id)?.text ?? byHash.get(id),
    has: (text) => byText.has(text),
    all: () => distinct,
  };
}
