import { OperationRefused } from '../operation/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { sha256Of } from './document-reference.ts';

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

/** What documents are held against. */
export interface DocumentCheck {
  /** Prepares a document for a supergraph. @throws OperationRefused */
  readonly prepare: (text: string) => unknown;
  readonly logger: Logger;
}

/**
 * Prepares trusted documents before they are asked for, and reports those that a supergraph refuses, with their client: they
 * are refused whenever they are asked for, and hold up nothing else.
 */
export async function checkDocuments(documents: readonly TrustedDocument[], { prepare, logger }: DocumentCheck): Promise<void> {
  for (const { id, text, client } of documents) {
    try {
      prepare(text);
    } catch (error) {
      if (!(error instanceof OperationRefused)) throw error;
      const { code, faults } = error;
      logger.error({ client, document: id, code, faults }, 'A trusted document is not served: it does not fit the supergraph.');
    }
    await new Promise(setImmediate); // those who are served meanwhile come in between
  }
}
