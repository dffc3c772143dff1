import { OperationRejected } from '../operation/operation-rejected.ts';
import type { Logger } from '../platform/logger.ts';
import { sha256Of } from './document-reference.ts';

/** Document in a manifest. */
export interface TrustedDocument {
  readonly id: string;
  readonly text: string;
  /** Client that the document belongs to. */
  readonly client: string;
}

/** Documents of all manifests. */
export interface TrustedDocuments {
  /** Returns the text for an id in a manifest, or for the SHA-256 hash of the text. */
  textOf(id: string): string | undefined;
  /** Whether a text is exactly equal to a trusted document. */
  has(text: string): boolean;
  all(): readonly TrustedDocument[];
}

/** Indexes documents by id, text and hash. @throws Error when one id names two different documents */
export function indexDocuments(documents: readonly TrustedDocument[]): TrustedDocuments {
  const byId = new Map<string, TrustedDocument>();
  for (const document of documents) {
    const { id, text, client } = byId.get(document.id) ?? document;
    if (text !== document.text) throw new Error(`the id "${id}" is used for different documents of ${client} and ${document.client}`);
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

/** Check of documents against a supergraph. */
export interface DocumentCheck {
  /** Prepares a document for a supergraph. @throws OperationRejected */
  readonly prepare: (text: string) => unknown;
  readonly logger: Logger;
}

/**
 * Prepares trusted documents before they are requested, and logs those that a supergraph rejects, with their client. Such documents are
 * rejected on each request, but do not block the supergraph.
 */
export async function checkDocuments(documents: readonly TrustedDocument[], { prepare, logger }: DocumentCheck): Promise<void> {
  for (const { id, text, client } of documents) {
    try {
      prepare(text);
    } catch (error) {
      if (!(error instanceof OperationRejected)) throw error;
      const { code, errors } = error;
      logger.error({ client, document: id, code, errors }, 'A trusted document is not valid against the supergraph and will be rejected.');
    }
    await new Promise(setImmediate); // Yields to the event loop, so that requests are served in the meantime.
  }
}
