import { OperationRefused } from '../operation/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { TrustedDocument } from './trusted-documents.ts';

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
