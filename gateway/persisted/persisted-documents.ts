import { LRUCache } from 'lru-cache';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { AutomaticDocuments } from './automatic-documents.ts';
import { type DocumentReference, readSha256, sha256Of, toDocumentId } from './document-reference.ts';
import { hashMismatch, idRequired, notFound, notInList, notSupported } from './document-errors.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** Documents that clients reference instead of sending their text. */
export interface PersistedDocuments {
  /**
   * Returns the text of a document. Returns no promise if the text was sent or is in this process.
   *
   * @throws GatewayError `PERSISTED_QUERY_NOT_FOUND`, `PERSISTED_QUERY_NOT_SUPPORTED`, `PERSISTED_QUERY_HASH_MISMATCH`,
   * `PERSISTED_QUERY_NOT_IN_LIST`, `PERSISTED_QUERY_ID_REQUIRED`, `BAD_REQUEST`
   */
  textOf(reference: DocumentReference): string | Promise<string>;
  /**
   * Stores a document under the hash that was sent with its text. Called only for operations that are about to be executed, so that
   * rejected texts use no capacity.
   *
   * @param client client that sent the document
   */
  register(reference: DocumentReference, client: string): void;
}

export interface PersistedDocumentsStores {
  /** Absent if automatic persisted queries are disabled. */
  readonly automatic?: AutomaticDocuments | undefined;
  /** Absent if there are no manifests. */
  readonly trusted?: TrustPolicy | undefined;
}

export interface TrustPolicy {
  readonly documents: Pick<TrustedDocuments, 'textOf' | 'has'>;
  /** Handling of texts that are not trusted documents; see the section `persisted` of the configuration. */
  readonly mode: 'off' | 'log' | 'safelist' | 'id-required';
  readonly logger: Logger;
}

/** Maximum number of reported texts that are remembered. @unit documents */
const MAX_REPORTED = 1_000;
/** Maximum length of a text in the log. @unit UTF-16 code units */
const REPORTED_LENGTH = 200;

export function createPersistedDocuments({ automatic, trusted }: PersistedDocumentsStores): PersistedDocuments {
  const reported = new LRUCache<string, true>({ max: MAX_REPORTED });

  function byName({ sha256, id }: DocumentReference): string | Promise<string> {
    const name = nameOf(sha256, id);
    if (name === undefined)
      throw new GatewayError('BAD_REQUEST', 'The request has no document. Send `query`, a document id or a persisted query hash.');
    const text = trusted?.documents.textOf(name);
    if (text !== undefined) return text;
    if (sha256 !== undefined && automatic !== undefined) return byHash(automatic, sha256);
    throw trusted === undefined ? notSupported() : notInList();
  }

  function byHash({ find }: AutomaticDocuments, sha256: string): string | Promise<string> {
    const text = find(sha256);
    return text instanceof Promise ? text.then(found) : found(text);
  }

  function found(text: string | undefined): string {
    if (text === undefined) throw notFound();
    if (trusted?.mode === 'log') report(trusted, text);
    return text;
  }

  /** Checks that a text matches the hash or id that was sent with it. */
  function checkName(text: string, name: string): void {
    const known = trusted?.documents.textOf(name);
    if (known === text) return;
    if (readSha256(name) !== undefined) {
      if (sha256Of(text) !== name) throw hashMismatch();
    } else if (known !== undefined) {
      throw new GatewayError('BAD_REQUEST', 'The id belongs to a different document than the text.');
    }
  }

  function checkTrust(policy: TrustPolicy, text: string, isNamed: boolean): void {
    const { mode, documents } = policy;
    if (mode === 'off') return;
    if (mode === 'id-required' && !isNamed) throw idRequired();
    if (documents.has(text)) return;
    if (mode !== 'log') throw notInList();
    report(policy, text);
  }

  function report({ logger }: TrustPolicy, text: string): void {
    const sha256 = sha256Of(text);
    if (reported.has(sha256)) return;
    reported.set(sha256, true);
    logger.warn({ sha256, text: text.slice(0, REPORTED_LENGTH) }, 'A requested document is not in any manifest.');
  }

  return {
    textOf(reference) {
      const { text, sha256, id, isTrusted } = reference;
      if (text === undefined) return byName(reference);
      if (isTrusted === true) return text;
      const name = nameOf(sha256, id);
      if (name !== undefined) checkName(text, name);
      if (trusted !== undefined) checkTrust(trusted, text, name !== undefined);
      return text;
    },
    register({ text, sha256 }, client) {
      if (text !== undefined && sha256 !== undefined) automatic?.register(sha256, text, client);
    },
  };
}

function nameOf(sha256: string | undefined, id: string | undefined): string | undefined {
  return sha256 ?? (id === undefined ? undefined : toDocumentId(id));
}
