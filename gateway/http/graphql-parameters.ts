import { GatewayError } from '../platform/errors.ts';

/** A GraphQL request, whichever way it was written down (GraphQL over HTTP, section "Request Parameters"). */
export interface GraphqlParameters {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * Checks the types of the parameters; null counts as absent, and parameters that mean nothing here are passed over.
 *
 * @throws GatewayError `BAD_REQUEST`; `BATCHING_DISABLED` for a list of requests; `PERSISTED_QUERY_NOT_SUPPORTED` when
 * only the hash or the id of a document was sent
 */
export function checkParameters(raw: unknown): GraphqlParameters {
  if (Array.isArray(raw))
    throw new GatewayError('BATCHING_DISABLED', 'Several operations in one request are not accepted; send them one by one.');
  if (!isMap(raw)) throw new GatewayError('BAD_REQUEST', 'A GraphQL request is a JSON object with a "query".');
  const query = readText(raw, 'query');
  const operationName = readText(raw, 'operationName');
  const variables = readMap(raw, 'variables');
  const extensions = readMap(raw, 'extensions');
  const documentId = readText(raw, 'documentId');
  if (query === undefined || query === '') throw missingDocument(documentId !== undefined || isPresent(extensions?.['persistedQuery']));
  return { query, ...(operationName === undefined ? {} : { operationName }), ...(variables === undefined ? {} : { variables }) };
}

function missingDocument(isPersisted: boolean): GatewayError {
  return isPersisted
    ? new GatewayError(
        'PERSISTED_QUERY_NOT_SUPPORTED',
        'Persisted documents are not served here; send the text of the operation as "query".',
      )
    : new GatewayError('BAD_REQUEST', 'The request has no "query": send the text of a GraphQL document.');
}

function readText(raw: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" must be a string.`);
  return value;
}

function readMap(raw: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (!isMap(value)) throw new GatewayError('BAD_REQUEST', `"${name}" must be an object.`);
  return value;
}

function own(raw: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
