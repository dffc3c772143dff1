import type { IncomingMessage } from 'node:http';
import type { CallerBudget } from '../budget/caller-budget.ts';
import { GatewayError } from '../platform/errors.ts';
import { readContentType } from '../platform/http/request/content-type.ts';
import { parseJson, parseJsonInTurn } from '../platform/http/request/parse-json.ts';
import { readBody } from '../platform/http/request/read-body.ts';
import { checkParameters, type GraphqlParameters } from './graphql-parameters.ts';

export interface ReadGraphqlRequestOptions {
  /** Largest body, after decompression. @unit bytes */
  readonly maxBodyBytes: number;
  /** Deepest nesting of the JSON, the request's own object included. @unit levels */
  readonly maxJsonDepth: number;
}

/**
 * Only JSON is read, also where a request has no body: a page that names another type is up to something
 * (GraphQL over HTTP, sections "GET" and "POST").
 *
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`
 */
export function requireJson({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (method !== 'POST' && headers['content-type'] === undefined) return;
  if (readContentType(headers)?.essence === 'application/json') return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'Send the content type application/json.', { headers: { accept: 'application/json' } });
}

/**
 * Reads the JSON body of a POST request: one GraphQL request or a batch, not checked yet.
 *
 * @param budget pays for the body before it is parsed
 * @throws GatewayError `RATE_LIMITED`, `PAYLOAD_TOO_LARGE` and `BAD_REQUEST`
 */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBodyBytes, maxJsonDepth }: ReadGraphqlRequestOptions,
  budget?: Pick<CallerBudget, 'payBody'>,
): Promise<unknown> {
  const text = await readBody(request, { maxBytes: maxBodyBytes });
  const payment = budget?.payBody(text.length);
  if (payment !== undefined) await payment;
  if (text === '') throw new GatewayError('BAD_REQUEST', 'The body is empty; send a JSON object with a "query".');
  return parseJsonInTurn(text, { maxDepth: maxJsonDepth });
}

const JSON_PARAMETERS: ReadonlySet<string> = new Set(['variables', 'extensions']);
const PARAMETERS: ReadonlySet<string> = new Set(['query', 'operationName', 'documentId', 'id', 'doc_id', ...JSON_PARAMETERS]);

/** The GraphQL request in a query string; a parameter that is empty counts as absent. @throws GatewayError `BAD_REQUEST` */
export function readGet(
  target: string,
  { maxJsonDepth }: Pick<ReadGraphqlRequestOptions, 'maxJsonDepth'>,
  pathId?: string,
): GraphqlParameters {
  const mark = target.indexOf('?');
  const raw: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1))) {
    if (!PARAMETERS.has(name)) continue;
    if (Object.hasOwn(raw, name)) throw new GatewayError('BAD_REQUEST', `"${name}" is given more than once.`);
    raw[name] =
      value === '' ? null : JSON_PARAMETERS.has(name) ? parseJson(value, { maxDepth: maxJsonDepth, subject: `"${name}"` }) : value;
  }
  return checkParameters(raw, pathId);
}
