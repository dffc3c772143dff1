import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { CallerBudget } from '../../budget/caller-budget.ts';
import { type DocumentReference, readSha256, toDocumentId } from '../../persisted/document-reference.ts';
import { type ClientName, readClientLibrary } from '../../platform/client-name.ts';
import { GatewayError } from '../../platform/errors.ts';
import { readContentType } from '../../platform/http/request/content-type.ts';
import { checkLastEventId } from '../../platform/http/request/event-id.ts';
import { parseJson, parseJsonInTurn } from '../../platform/http/request/parse-json.ts';
import { readBody } from '../../platform/http/request/read-body.ts';
import { readTraceHeaders, type TraceHeaders } from '../../platform/trace-context.ts';

/** Parameters of a request before they are checked. */
type RawParameters = Readonly<Record<string, unknown>>;

/** Reads a string. Undefined when it is absent or null. @throws GatewayError `BAD_REQUEST` when it is not a string */
function readText(raw: RawParameters, name: string): string | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'string') throw new GatewayError('BAD_REQUEST', `"${name}" must be a string.`);
  return value;
}

/** Reads an object. Undefined when it is absent or null. @throws GatewayError `BAD_REQUEST` when it is not an object */
function readMap(raw: RawParameters, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = own(raw, name);
  if (!isPresent(value)) return undefined;
  if (!isMap(value)) throw new GatewayError('BAD_REQUEST', `"${name}" must be an object.`);
  return value;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(raw: RawParameters, name: string): unknown {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}

/**
 * Reads which document a request refers to. An id is sent as `documentId` (GraphQL over HTTP), as the last segment of the path, or as `id`
 * or `doc_id` by clients that send no text (Relay). A hash is sent as `extensions.persistedQuery` (Apollo, urql).
 *
 * @param pathId last segment of the path, still percent-encoded
 * @throws GatewayError `BAD_REQUEST` when the reference is malformed or ambiguous, or there is no document
 */
function readDocument(
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
  throw new GatewayError('BAD_REQUEST', '"extensions.persistedQuery" must have "version" 1 and a "sha256Hash" of 64 hexadecimal digits.');
}

const ID_WITH_TEXT = ['documentId'];
const IDS = ['documentId', 'id', 'doc_id'];

/**
 * Reads the document id, which may be sent several times. When a request has a text, `id` and `doc_id` are ignored: clients use them for
 * other purposes.
 */
function readIds(raw: RawParameters, hasText: boolean, pathId: string | undefined): string | undefined {
  let id = pathId === undefined ? undefined : toDocumentId(decodePath(pathId));
  for (const name of hasText ? ID_WITH_TEXT : IDS) {
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
    throw new GatewayError('BAD_REQUEST', 'The path has invalid percent-encoding.');
  }
}

function namesSeveral(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'The request refers to more than one document; send only one text, id or hash.');
}

/** Checked parameters of a GraphQL request, sent by any method (GraphQL over HTTP, section "Request Parameters"). */
export interface GraphqlParameters {
  readonly document: DocumentReference;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Id of the last event that the client received: `extensions.lastEventId`. */
  readonly lastEventId?: string;
  /** Library of the client: `extensions.clientLibrary`. */
  readonly clientLibrary?: ClientName;
  /** Trace of the operation: `extensions.traceparent`, `extensions.tracestate` and `extensions.baggage`. */
  readonly trace?: TraceHeaders;
}

/**
 * Checks the types of the parameters. Null counts as absent, and unknown parameters are ignored.
 *
 * @param pathId document id in the path, still percent-encoded
 * @throws GatewayError `BAD_REQUEST`; `BATCHING_DISABLED` for a list of requests
 */
export function checkParameters(raw: unknown, pathId?: string): GraphqlParameters {
  if (Array.isArray(raw))
    throw new GatewayError(
      'BATCHING_DISABLED',
      'Several operations in one request are not accepted; send each operation in a separate request.',
    );
  if (!isMap(raw)) throw new GatewayError('BAD_REQUEST', 'A GraphQL request is a JSON object with a "query".');
  const operationName = readText(raw, 'operationName');
  const variables = readMap(raw, 'variables');
  const extensions = readMap(raw, 'extensions');
  const document = readDocument(raw, extensions, pathId);
  const lastEventId = extensions && checkLastEventId(extensions['lastEventId'], 'extensions.lastEventId');
  const clientLibrary = extensions && readClientLibrary(extensions);
  const trace = extensions && readTraceHeaders(extensions);
  return {
    document,
    ...(operationName === undefined ? {} : { operationName }),
    ...(variables === undefined ? {} : { variables }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
    ...(clientLibrary === undefined ? {} : { clientLibrary }),
    ...(trace === undefined ? {} : { trace }),
  };
}

export interface ReadGraphqlRequestOptions {
  /** Maximum size of the body after decompression. @unit bytes */
  readonly maxBodyBytes: number;
  /** Maximum nesting depth of the JSON, including the object of the request. @unit levels */
  readonly maxJsonDepth: number;
}

/**
 * Requires JSON, also when a request has no body: a web page that sends another content type may be attempting a cross-site request
 * (GraphQL over HTTP, sections "GET" and "POST").
 *
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`
 */
export function requireJson({ method, headers }: Pick<ReceivedRequest, 'method' | 'headers'>): void {
  if (method !== 'POST' && headers['content-type'] === undefined) return;
  if (readContentType(headers)?.essence === 'application/json') return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported; send application/json.', {
    headers: { accept: 'application/json' },
  });
}

/**
 * Reads the JSON body of a POST request: one GraphQL request or a batch, not yet checked.
 *
 * @param budget budget that is charged for the body before it is parsed
 * @throws GatewayError `RATE_LIMITED`, `PAYLOAD_TOO_LARGE` and `BAD_REQUEST`
 */
export async function readJsonBody(
  request: ReceivedRequest,
  { maxBodyBytes, maxJsonDepth }: ReadGraphqlRequestOptions,
  budget: Pick<CallerBudget, 'payBody'>,
): Promise<unknown> {
  const text = await readBody(request, { maxBytes: maxBodyBytes });
  const payment = budget.payBody(text.length);
  if (payment !== undefined) await payment;
  if (text === '') throw new GatewayError('BAD_REQUEST', 'The body is empty; send a JSON object with a "query".');
  return parseJsonInTurn(text, { maxDepth: maxJsonDepth });
}

const JSON_PARAMETERS: ReadonlySet<string> = new Set(['variables', 'extensions']);
const PARAMETERS: ReadonlySet<string> = new Set(['query', 'operationName', 'documentId', 'id', 'doc_id', ...JSON_PARAMETERS]);

/** Reads the GraphQL request from a query string. An empty parameter counts as absent. @throws GatewayError `BAD_REQUEST` */
export function readGet(
  target: string,
  { maxJsonDepth }: Pick<ReadGraphqlRequestOptions, 'maxJsonDepth'>,
  pathId?: string,
): GraphqlParameters {
  const queryStart = target.indexOf('?');
  const raw: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(queryStart === -1 ? '' : target.slice(queryStart + 1))) {
    if (!PARAMETERS.has(name)) continue;
    if (Object.hasOwn(raw, name)) throw new GatewayError('BAD_REQUEST', `"${name}" appears more than once in the query string.`);
    raw[name] =
      value === '' ? null : JSON_PARAMETERS.has(name) ? parseJson(value, { maxDepth: maxJsonDepth, subject: `"${name}"` }) : value;
  }
  return checkParameters(raw, pathId);
}
