import type { IncomingHttpHeaders } from 'node:http';
import type { Content, Header, JsonSchema, Reference, ResponseObject } from '../../../rest-facade/openapi/openapi-document.ts';
import type { DescribedInterface } from './described-interface.ts';
import { resolve } from './resolve.ts';

/** The properties of an exchange that an OpenAPI description covers. */
export interface Exchange {
  readonly method: string;
  /** Path and query string as they were sent. */
  readonly target: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the response is complete. @defaultValue true */
  readonly isWhole?: boolean;
}

/** Paths of the gateway or of the description itself, which are not resources. */
const NO_RESOURCE = /^\/(?:$|graphql(?:\/|$)|health(?:\/|$)|studio(?:\/|$)|docs(?:\/|$)|(?:v\d+\/)?openapi\.(?:json|yaml)$)/;

/** Statuses of requests that are rejected before routing, for any path. */
const BEFORE_ROUTING = new Set([400, 404, 408, 414, 431, 503]);

/** Statuses that the response `4XX` of the description covers. */
const IN_RANGE = new Set([408, 414, 431]);

/** Headers that every response can have, according to `info.description`. */
const OF_EVERY_RESPONSE: readonly string[] = ['vary', 'ratelimit', 'ratelimit-policy'];

/** Further headers that responses without a resource can have. */
const WITHOUT_RESOURCE: readonly string[] = [
  'api-version',
  'cache-control',
  'content-location',
  'deprecation',
  'idempotent-replayed',
  'last-modified',
  'link',
  'preference-applied',
  'sunset',
  'x-total-count',
];

/** Methods that some resource supports. RFC 9110, section 15.6.2 requires 501 for all others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Headers about the connection, about the encoding of the bytes, or for browsers and proxies in general. Operations do not describe them.
 * All others are described, or must not be sent.
 */
const MECHANICS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'strict-transport-security',
  'transfer-encoding',
  'x-accel-buffering',
  'x-content-type-options',
]);

/** Headers of the CORS protocol (`server.cors`). */
const OF_CORS = /^access-control-/;

/** Lists the differences between a response and its description. Empty when they match. */
export function responseIssues(exchange: Exchange, interfaces: readonly DescribedInterface[]): readonly string[] {
  const { method, target, status, headers } = exchange;
  const [path = '', query = ''] = target.split('?', 2);
  if (NO_RESOURCE.test(path)) return [];
  const responded = interfaces.filter(({ version }) => headers['api-version'] === undefined || headers['api-version'] === String(version));
  const located = responded.flatMap((described) => {
    const at = described.locate(path);
    return at === undefined ? [] : [{ described, at }];
  });
  const [first] = located;
  if (first === undefined) return status >= 400 ? [] : [`no described path matches ${path}, and the status is ${status}`];
  if (method === 'OPTIONS') return status === 204 || status >= 400 ? [] : [`OPTIONS returned status ${status}`];
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const served = located.flatMap(({ described, at }) => {
    const operation = at.operations.get(wanted)?.operation;
    return operation === undefined ? [] : [{ described, operation }];
  });
  const [operation] = served;
  if (operation === undefined) {
    if (status === 501 && !METHODS.has(method)) return [];
    return status === 405 ? methodIssues(headers) : beforeRouting(status, `the method ${method} is not described`);
  }
  const { responses } = operation.operation;
  const response = responses[String(status)] ?? (IN_RANGE.has(status) ? responses['4XX'] : undefined);
  if (response === undefined) return [`${operation.operation.operationId} has no described response with status ${status}`];
  const { described } = operation;
  return bodyAndStatusIssues(exchange, described.response(response), { described, isNarrowed: new URLSearchParams(query).has('fields') });
}

function methodIssues({ allow }: IncomingHttpHeaders): readonly string[] {
  return allow === undefined ? ['405 has no Allow header'] : [];
}

function beforeRouting(status: number, issue: string): readonly string[] {
  return BEFORE_ROUTING.has(status) ? [] : [`${issue}, and the status is ${status}`];
}

interface ResponseContext {
  readonly described: DescribedInterface;
  readonly isNarrowed: boolean;
}

function bodyAndStatusIssues(exchange: Exchange, response: ResponseObject, context: ResponseContext): readonly string[] {
  const { method, status } = exchange;
  return [
    ...headerIssues(exchange, response, context.described),
    ...(method === 'HEAD' ? [] : bodyIssues(exchange, response, context)),
  ].map((issue) => `${status}: ${issue}`);
}

function bodyIssues(
  { headers, text, isWhole = true }: Exchange,
  { content }: ResponseObject,
  { described, isNarrowed }: ResponseContext,
): readonly string[] {
  const type = headers['content-type'];
  if (headers['preference-applied']?.includes('return=minimal') === true)
    return text === '' ? [] : ['there is a body despite return=minimal'];
  // A replayed response that was too large to store.
  if (headers['idempotent-replayed'] === 'true' && text === '' && type === undefined) return [];
  if (content === undefined) return text === '' && type === undefined ? [] : ['there is a body, and none is described'];
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const schema = schemaOf(content, essence);
  if (schema === undefined)
    return [`the media type ${essence || '(none)'} is not described (expected one of ${Object.keys(content).join(', ')})`];
  if (essence === EVENT_STREAM) return streamIssues(text);
  if (!isWhole) return [];
  try {
    return described.checkBody(schema, JSON.parse(text), { isNarrowed });
  } catch (error) {
    return [`the body is not JSON: ${String(error)}`];
  }
}

/** Finds the schema of a media type. The description names the vendor types without the version. */
function schemaOf(content: Content, essence: string): JsonSchema | undefined {
  return (content[essence] ?? content[essence.replace(/\.v\d+(?=[.+])/, '')])?.schema;
}

const EVENT_STREAM = 'text/event-stream';

/** Complete lines of an event: a comment, or a field with a value. An incomplete last line is ignored. */
const EVENT_LINE = /^(?:$|:|(?:event|data|id|retry):)/;

function streamIssues(text: string): readonly string[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => (EVENT_LINE.test(line) ? [] : [`${JSON.stringify(line.slice(0, 100))} is not a valid line of an event`]));
}

function headerIssues(exchange: Exchange, response: ResponseObject, described: DescribedInterface): readonly string[] {
  return [...describedHeaderIssues(exchange.headers, response, described), ...foreignHeaderIssues(exchange, response, described)];
}

/** Reports headers that neither the response nor the rules for all responses describe. */
function foreignHeaderIssues(
  { status, headers: sent }: Exchange,
  { headers = {} }: ResponseObject,
  { document }: DescribedInterface,
): readonly string[] {
  const documented = new Set(Object.keys(document.components.headers).map((name) => name.toLowerCase()));
  const others = status < 300 && status !== 204 ? [] : WITHOUT_RESOURCE.filter((name) => documented.has(name));
  const known = new Set([...Object.keys(headers).map((name) => name.toLowerCase()), ...OF_EVERY_RESPONSE, ...others]);
  const foreign = Object.keys(sent).filter((name) => !known.has(name) && !MECHANICS.has(name) && !OF_CORS.test(name));
  return foreign.map((name) => `the header ${name} is not described`);
}

function describedHeaderIssues(
  sent: IncomingHttpHeaders,
  { headers = {} }: ResponseObject,
  described: DescribedInterface,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, reference]) => {
    const header = headerOf(reference, described);
    const value = sent[name.toLowerCase()];
    if (value === undefined) return header.required === true ? [`the header ${name} is missing`] : [];
    const typed = header.schema.type === 'integer' ? Number(value) : String(value);
    return described.checkBody(header.schema, typed, { isNarrowed: false }).map((issue) => `the header ${name}: ${issue}`);
  });
}

function headerOf(header: Header | Reference, { document }: DescribedInterface): Header {
  return '$ref' in header ? resolve(header.$ref, document.components.headers) : header;
}
