import { ERROR_CODES, type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { PROBLEM_TYPE } from '../request/negotiation/content-negotiation.ts';
import { type HeaderName, headerReferences } from './describe-headers.ts';
import type { Content, JsonSchema, Reference, ResponseObject } from './openapi-document.ts';
import type { Components } from './schemas/components.ts';
import { contentOf, type DescribedRepresentation } from './schemas/representations.ts';

/** Error statuses, each with the name and the description of its response. */
const FAILURES: Readonly<Record<number, readonly [name: string, description: string, headers?: readonly HeaderName[]]>> = {
  400: ['BadRequest', 'The request is malformed or contains invalid values. `details` lists each invalid value.'],
  401: ['Unauthenticated', 'The resource requires credentials, or the credentials in the request are invalid.', ['WWW-Authenticate']],
  403: ['Forbidden', 'The caller has no permission for the operation, or for a field that is named in `fields`.'],
  404: ['NotFound', 'The resource does not exist.'],
  406: ['NotAcceptable', 'None of the available media types is acceptable for the header `Accept`.'],
  408: ['RequestTimeout', 'The request was not received in time.'],
  409: ['Conflict', 'The request conflicts with the current state of the resource.', ['Retry-After-If-Known']],
  410: ['Gone', 'This version of the resource is no longer available.'],
  412: ['PreconditionFailed', 'The current state of the resource does not meet the precondition of the request.', ['ETag']],
  413: ['PayloadTooLarge', 'The request body is too large.'],
  414: ['UriTooLong', 'The request URL is too long.'],
  415: [
    'UnsupportedMediaType',
    'The media type or the content coding of the request body is not supported.',
    ['Accept-Post', 'Accept-Patch', 'Accept', 'Accept-Encoding'],
  ],
  428: ['PreconditionRequired', 'The request requires the header `If-Match` with the ETag of the resource that it changes.'],
  422: ['KeyReused', 'The Idempotency-Key was already used for a different request.'],
  429: ['RateLimited', 'The caller has exceeded the rate limit.', ['Retry-After']],
  431: ['HeadersTooLarge', 'The request headers are too large.'],
  500: ['InternalServerError', 'An internal error occurred. Include `traceId` when you report it.'],
  503: ['Unavailable', 'A service that the response depends on is not available.', ['Retry-After']],
};

/**
 * Headers of all error responses. A stored response is marked as replayed, and rate limits and deprecation are reported for every result.
 */
const ALWAYS_EXPOSED: readonly HeaderName[] = [
  'X-Correlation-Id',
  'API-Version-If-Known',
  'Cache-Control',
  'Vary',
  'RateLimit-Policy',
  'RateLimit',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
];

/**
 * Codes of other transports. REST clients do not name operations, send documents or open WebSockets. Streams of all transports share one
 * limit.
 */
const OTHER_TRANSPORTS =
  /^(?:GRAPHQL|PERSISTED|SUBSCRIPTION(?!_LIMIT$)|BATCHING|INTROSPECTION|CSRF|EVENTS)_|^(?:OPERATION_RESOLUTION_FAILURE|TOKEN_EXPIRED)$|(?<!^COST)_LIMIT_EXCEEDED$/;

/** Returns the error codes of a status. */
function codesOf(status: number): readonly ErrorCode[] {
  const own = ERROR_CODES.filter((code) => statusOf(code) === status && !OTHER_TRANSPORTS.test(code));
  // `VERSION_MISMATCH` has the status 409 or 412, depending on `ifMatchFailure`.
  return status === 412 ? [...own, 'VERSION_MISMATCH'] : own;
}

/** Statuses that every request can get. 409 comes from a subgraph, for any operation. */
const ALWAYS = [400, 401, 403, 408, 409, 414, 429, 431, 500, 503];

/** Returns the error responses of a route, by status. */
export function errorResponsesOf({
  bindings,
  isStream,
  lifespan,
  method,
  status,
  template,
}: RestRoute): Readonly<Record<string, Reference>> {
  const isRead = method === 'GET';
  const isItem = template.some((segment) => 'parameter' in segment);
  const statuses = [
    ...ALWAYS,
    ...(isStream ? [] : [412]),
    ...(isItem || !isRead ? [404] : []),
    ...(status === 204 ? [] : [406]),
    ...(bindings.body === undefined ? [] : [413, 415]),
    ...(lifespan.sunsetAt === undefined ? [] : [410]),
    ...(method === 'POST' || method === 'PATCH' ? [422] : []),
    ...(bindings.ifMatch?.isRequired === true ? [428] : []),
  ];
  return Object.fromEntries(statuses.map((code) => [code, { $ref: `#/components/responses/${FAILURES[code]?.[0] ?? ''}` }]));
}

/** Builds the responses that `errorResponsesOf` refers to. */
export function errorResponses(
  representations: readonly DescribedRepresentation[],
  components: Components,
): Readonly<Record<string, ResponseObject>> {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, [name, description, headers = []]]) => [
      name,
      {
        description,
        headers: headerReferences([...ALWAYS_EXPOSED, ...headers]),
        content: errorContent(name, { representations, components, codes: codesOf(Number(status)) }),
      },
    ]),
  );
}

export interface ErrorContext {
  readonly representations: readonly DescribedRepresentation[];
  readonly components: Components;
  /** Error codes that the response can have. */
  readonly codes: readonly ErrorCode[];
}

/**
 * Describes the error bodies: the flat body for plain resources and links, the nested body for envelopes, and problem details for clients
 * that request them.
 */
function errorContent(name: string, { representations, components, codes }: ErrorContext): Content {
  const code: JsonSchema = { type: 'string', enum: codes, description: 'Stable error code for programs.' };
  const details = components.refer('details', 'FailureDetails', () => DETAILS);
  const facts = { code, details };
  const flat = components.refer(`failure ${name}`, name, () => flatFailure(facts));
  const nested = components.refer(`nested failure ${name}`, `${name}Nested`, () => nestedFailure(facts));
  const problem = components.refer(`problem ${name}`, `${name}Problem`, () => problemDetails(facts));
  return { ...contentOf(representations, { plain: flat, envelope: nested, links: flat }), [PROBLEM_TYPE]: { schema: problem } };
}

const MESSAGE: JsonSchema = { type: 'string', description: 'Description of the error for people. The text may change.' };
const TRACE_ID: JsonSchema = { type: 'string', description: 'Id of the trace that the request belongs to.' };
const REQUEST_ID: JsonSchema = { type: 'string', description: 'Id of the request in the logs.' };

const DETAILS: JsonSchema = {
  type: 'array',
  description: 'The invalid values of the request.',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'Name of the parameter, header or body field.' },
      message: { type: 'string' },
    },
    required: ['field', 'message'],
  },
};

interface FailureFacts {
  readonly code: JsonSchema;
  readonly details: JsonSchema;
}

function flatFailure({ code, details }: FailureFacts): JsonSchema {
  const properties = { error: code, message: MESSAGE, traceId: TRACE_ID, details };
  return { type: 'object', properties, required: ['error', 'message', 'traceId'] };
}

function nestedFailure({ code, details }: FailureFacts): JsonSchema {
  const properties = { code, message: MESSAGE, requestId: REQUEST_ID, details };
  const error: JsonSchema = { type: 'object', properties, required: ['code', 'message', 'requestId'] };
  return { type: 'object', properties: { error }, required: ['error'] };
}

/** Describes problem details (RFC 9457). */
function problemDetails({ code, details }: FailureFacts): JsonSchema {
  const properties: Readonly<Record<string, JsonSchema>> = {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: MESSAGE,
    code,
    traceId: TRACE_ID,
    details,
  };
  return { type: 'object', properties, required: ['type', 'title', 'status', 'detail', 'code', 'traceId'] };
}
