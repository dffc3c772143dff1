import { toDocumentId } from '../persisted/document-reference.ts';
import type { DocumentReference } from '../persisted/document-reference.ts';
import { readSha256 } from '../persisted/document-reference.ts';
import { GatewayError } from '../platform/errors.ts';
import { isMap, isPresent, type RawParameters, readText } from './raw-parameters.ts';

/**
 * Which document a request asks for. Ids come as `documentId` (GraphQL over HTTP), as the last segment of the path, and, from
 * clients that send no text, as `id` or `doc_id` (Relay); hashes as `extensions.persistedQuery` (Apollo, urql).
 *
 * @param pathId as it stands in the path
 * @throws GatewayError `BAD_REQUEST`
 */
export function readDocument(
  raw: RawParameters,
  extensions: Readonly<Record<string, unknown>> | undefined,
  pathId: string | undefined,
): DocumentReference {
  const text = readText(raw, 'query');
  const hasText = text !== undefined && text !== '';
  const sha256 = readPersistedQuery(extensions?.['persistedQuery']);
  const id = readIds(raw, hasText, pathId);
  if (sha256 !== undefined && id !== undefined && sha256 !== id) throw namesSeveral();
  if (sha256 !== undefined) return hasText ? { text, sha256 } : { sha256 };
  if (id !== undefined) return hasText ? { text, id } : { id };
  if (!hasText) throw new GatewayError('BAD_REQUEST', 'The request has no "query": send the text of a GraphQL document.');
  return { text };
}

function readPersistedQuery(value: unknown): string | undefined {
  if (!isPresent(value)) return undefined;
  const [version, hash] = isMap(value) ? [value['version'], value['sha256Hash']] : [];
  const sha256 = version === 1 ? readSha256(hash) : undefined;
  if (sha256 !== undefined) return sha256;
  throw new GatewayError('BAD_REQUEST', '"persistedQuery" must have "version" 1 and a "sha256Hash" of 64 hexadecimal digits.');
}

const ID_BESIDE_TEXT = ['documentId'];
const IDS = ['documentId', 'id', 'doc_id'];

/** One id, however often it is given. Beside a text `id` means something else, to whoever sends it. */
function readIds(raw: RawParameters, hasText: boolean, pathId: string | undefined): string | undefined {
  let id = pathId === undefined ? undefined : toDocumentId(decodePath(pathId));
  for (const name of hasText ? ID_BESIDE_TEXT : IDS) {
    const given = readText(raw, name);
    if (given === undefined || given === '') continue;
    const other = toDocumentId(given);
    if (id !== undefined && id !== other) throw namesSeveral();
    id = other;
  }
  return id;
}

function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The path is not encoded as a URL.');
  }
}

function namesSeveral(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'The request names more than one document.');
}
