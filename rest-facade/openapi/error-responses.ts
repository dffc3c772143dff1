import { ERROR_CODES, type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { JSON_TYPE, PROBLEM_TYPE } from '../request/negotiation/content-negotiation.ts';
import { type HeaderName, headerReferences } from './describe-headers.ts';
import type { Content, JsonSchema, Reference, ResponseObject } from './openapi-document.ts';
import type { Components } from './schemas/components.ts';
import { contentOf, type DescribedRepresentation } from './schemas/representations.ts';

/** Error statuses, each with the name and the description of its response. */
const FAILURES: Readonly<Record<string, readonly [name: string, description: string, headers?: readonly HeaderName[]]>> = {
  400: ['BadRequest', 'The request is malformed or contains invalid values. `details` lists each invalid value.'],
  401: ['Unauthenticated', 'The resource requires credentials, or the credentials in the request are invalid.', ['WWW-Authenticate']],
  403: ['Forbidden', 'The caller has no permission for the operation, or for a field that is named in `fields`.'],
  404: ['NotFound', 'The resource does not exist.'],
  406: ['NotAcceptable', 'None of the available media types is acceptable for the header `Accept`.'],
  409: ['Conflict', 'The request conflicts with the current state of the resource.', ['Retry-After-If-Known']],
  410: ['Gone', 'This version of the resource is no longer available.'],
  412: ['PreconditionFailed', 'The current state of the resource does not meet the precondition of the request.', ['ETag']],
  413: ['PayloadTooLarge', 'The request body is too large.'],
  415: [
    'UnsupportedMediaType',
    'The media type or the content coding of the request body is not supported.',
    ['Accept-Post', 'Accept-Patch', 'Accept', 'Accept-Encoding'],
  ],
  428: ['PreconditionRequired', 'The request requires the header `If-Match` with the ETag of the resource that it changes.'],
  422: ['KeyReused', 'The Idempotency-Key was already used for a different request.'],
  429: ['RateLimited', 'The caller has exceeded the rate limit.', ['Retry-After', 'RateLimit', 'RateLimit-Policy']],
  '4XX': ['RequestRejected', 'The request was not received in time (408), or its URL (414) or its headers (431) are too large.'],
  500: ['InternalServerError', 'An internal error occurred. Include `traceId` when you report it.'],
  503: ['Unavailable', 'A service that the response depends on is not available.', ['Retry-After']],
};

/** Described headers of all error responses. The description of the interface mentions the other ones, which programs do not need here. */
const ALWAYS_EXPOSED: readonly HeaderName[] = ['X-Correlation-Id'];

/**
 * Codes of other transports. REST clients do not name operations, send documents or open WebSockets. Streams of all transports share one
 * limit.
 */
const OTHER_TRANSPORTS =
  /^(?:GRAPHQL|PERSISTED|SUBSCRIPTION(?!_LIMIT$)|BATCHING|INTROSPECTION|CSRF|EVENTS)_|^(?:OPERATION_RESOLUTION_FAILURE|TOKEN_EXPIRED)$|(?<!^COST)_LIMIT_EXCEEDED$/;

/** Statuses that the response `4XX` describes. They are rare, and every request can get them. */
const IN_RANGE: readonly number[] = [408, 414, 431];

/** Returns the error codes of a status, or of the statuses of a range. */
function codesOf(status: string): readonly ErrorCode[] {
  const statuses = status === '4XX' ? IN_RANGE : [Number(status)];
  const own = ERROR_CODES.filter((code) => statuses.includes(statusOf(code)) && !OTHER_TRANSPORTS.test(code));
  // `VERSION_MISMATCH` has the status 409 or 412, depending on `ifMatchFailure`.
  return status === '412' ? [...own, 'VERSION_MISMATCH'] : own;
}

/** Statuses that every request can get. 409 comes from a subgraph, for any operation. */
const ALWAYS = [400, 401, 403, 409, 429, 500, 503, '4XX'] as const;

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
        content: errorContent({ representations, components, codes: codesOf(status) }),
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
 * that request them. All responses share three schemas. The codes of a response are listed for JSON and for problem details; the vendor
 * types have the same codes.
 */
function errorContent({ representations, components, codes }: ErrorContext): Content {
  const details = components.refer('details', 'FailureDetails', () => DETAILS);
  const flat = components.refer('failure', 'Failure', () => flatFailure(details));
  const nested = components.refer('nested failure', 'FailureNested', () => nestedFailure(details));
  const problem = components.refer('problem', 'FailureProblem', () => problemDetails(details));
  const withCodes = (schema: JsonSchema, member: string): JsonSchema => ({
    allOf: [schema, { type: 'object', properties: { [member]: { type: 'string', enum: codes } } }],
  });
  return {
    ...contentOf(representations, { plain: flat, envelope: nested, links: flat }),
    [JSON_TYPE]: { schema: withCodes(flat, 'error') },
    [PROBLEM_TYPE]: { schema: withCodes(problem, 'code') },
  };
}

const CODE: JsonSchema = { type: 'string', description: 'Stable error code for programs.' };
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

function flatFailure(details: JsonSchema): JsonSchema {
  const properties = { error: CODE, message: MESSAGE, traceId: TRACE_ID, details };
  return { type: 'object', properties, required: ['error', 'message', 'traceId'] };
}

function nestedFailure(details: JsonSchema): JsonSchema {
  const properties = { code: CODE, message: MESSAGE, requestId: REQUEST_ID, details };
  const error: JsonSchema = { type: 'object', properties, required: ['code', 'message', 'requestId'] };
  return { type: 'object', properties: { error }, required: ['error'] };
}

/** Describes problem details (RFC 9457). */
function problemDetails(details: JsonSchema): JsonSchema {
  const properties: Readonly<Record<string, JsonSchema>> = {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: MESSAGE,
    code: CODE,
    traceId: TRACE_ID,
    details,
  };
  return { type: 'object', properties, required: ['type', 'title', 'status', 'detail', 'code', 'traceId'] };
}
