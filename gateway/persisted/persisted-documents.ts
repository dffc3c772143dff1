import { GatewayError } from '../platform/errors.ts';
import type { AutomaticDocuments } from './automatic-documents.ts';
import type { DocumentReference } from './document-reference.ts';
import { hashMismatch, notFound, notSupported } from './errors.ts';
import { sha256Of } from './sha256.ts';

/** Documents that clients name instead of sending them. */
export interface PersistedDocuments {
  /**
   * The text of the document. Without a promise where it was sent or is at hand.
   *
   * @throws GatewayError `PERSISTED_QUERY_NOT_FOUND`, `PERSISTED_QUERY_NOT_SUPPORTED`, `PERSISTED_QUERY_HASH_MISMATCH`, `BAD_REQUEST`
   */
  textOf(reference: DocumentReference): string | Promise<string>;
  /**
   * Keeps a document by the hash that came with its text. For operations that are about to be executed only: texts that
   * are refused take no place.
   *
   * @param client who sent it
   */
  register(reference: DocumentReference, client: string): void;
}

export interface PersistedDocumentsParts {
  /** Absent where they are switched off. */
  readonly automatic?: AutomaticDocuments | undefined;
}

export function createPersistedDocuments({ automatic }: PersistedDocumentsParts): PersistedDocuments {
  function byHash(sha256: string): string | Promise<string> {
    if (automatic === undefined) throw notSupported();
    const text = automatic.find(sha256);
    return text instanceof Promise ? text.then(found) : found(text);
  }

  function byName({ sha256, id }: DocumentReference): string | Promise<string> {
    if (sha256 !== undefined) return byHash(sha256);
    if (id !== undefined) throw notSupported();
    throw new GatewayError('BAD_REQUEST', 'The request names no document.');
  }

  return {
    textOf(reference) {
      const { text, sha256 } = reference;
      if (text === undefined) return byName(reference);
      if (sha256 !== undefined && sha256Of(text) !== sha256) throw hashMismatch();
      return text;
    },
    register({ text, sha256 }, client) {
      if (text !== undefined && sha256 !== undefined) automatic?.register(sha256, text, client);
    },
  };
}

function found(text: string | undefined): string {
  if (text === undefined) throw notFound();
  return text;
}
