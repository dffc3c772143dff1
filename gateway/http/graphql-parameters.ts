import type { DocumentReference } from '../persisted/document-reference.ts';
import { GatewayError } from '../platform/errors.ts';
import { checkLastEventId } from '../platform/http/request/event-id.ts';
import { isMap, readMap, readText } from './raw-parameters.ts';
import { readDocument } from './read-document.ts';

/** A GraphQL request, whichever way it was written down (GraphQL over HTTP, section "Request Parameters"). */
export interface GraphqlParameters {
  readonly document: DocumentReference;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The last event that the client has seen: `extensions.lastEventId`. */
  readonly lastEventId?: string;
}

/**
 * Checks the types of the parameters; null counts as absent, and parameters that mean nothing here are passed over.
 *
 * @param pathId the id of a document as it stands in the path
 * @throws GatewayError `BAD_REQUEST`; `BATCHING_DISABLED` for a list of requests
 */
export function checkParameters(raw: unknown, pathId?: string): GraphqlParameters {
  if (Array.isArray(raw))
    throw new GatewayError('BATCHING_DISABLED', 'Several operations in one request are not accepted; send them one by one.');
  if (!isMap(raw)) throw new GatewayError('BAD_REQUEST', 'A GraphQL request is a JSON object with a "query".');
  const operationName = readText(raw, 'operationName');
  const variables = readMap(raw, 'variables');
  const extensions = readMap(raw, 'extensions');
  const document = readDocument(raw, extensions, pathId);
  const lastEventId = extensions && checkLastEventId(extensions['lastEventId'], 'extensions.lastEventId');
  return {
    document,
    ...(operationName === undefined ? {} : { operationName }),
    ...(variables === undefined ? {} : { variables }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  };
}
