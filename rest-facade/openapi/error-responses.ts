import { ERROR_CODES, type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { PROBLEM_TYPE } from '../request/negotiation/content-negotiation.ts';
import { type HeaderName, headerReferences } from './describe-headers.ts';
import type { Content, JsonSchema, Reference, ResponseObject } from './openapi-document.ts';
import type { Components } from './schemas/components.ts';
import { contentOf, type Form } from './schemas/representations.ts';

/** Statuses of refusals and failures, with the name of the response and what it says. */
const FAILURES: Readonly<Record<number, readonly [name: string, description: string, headers?: readonly HeaderName[]]>> = {
  400: ['BadRequest', 'Something that was sent is not understood or not accepted. `details` names it, part by part.'],
  401: ['Unauthenticated', 'The resource needs credentials, or those that were sent are not good.', ['WWW-Authenticate']],
  403: ['Forbidden', 'The caller may not do this, or not see what was named in `fields`.'],
  404: ['NotFound', 'There is no such resource.'],
  406: ['NotAcceptable', 'No media type that is served here is wanted by `Accept`.'],
  408: ['RequestTimeout', 'The request did not arrive in time.'],
  409: ['Conflict', 'What is asked for does not go with the state of the resource.', ['Retry-After-If-Known']],
  410: ['Gone', 'This version of the resource is no longer served.'],
  412: ['PreconditionFailed', 'The resource is not in the state that the request makes its condition.', ['ETag']],
  413: ['PayloadTooLarge', 'The body is too large.'],
  414: ['UriTooLong', 'The address is too long.'],
  415: [
    'UnsupportedMediaType',
    'The body is of another media type, or in another content coding, than is taken here.',
    ['Accept-Post', 'Accept-Patch', 'Accept', 'Accept-Encoding'],
  ],
  428: ['PreconditionRequired', 'The request needs an `If-Match` header with the ETag of what it changes.'],
  422: ['KeyReused', 'The Idempotency-Key was used for another request.'],
  429: ['RateLimited', 'The caller has spent what may be spent for now.', ['Retry-After']],
  431: ['HeadersTooLarge', 'The headers are too large.'],
  500: ['InternalServerError', 'Something went wrong on our side. Quote `traceId` when you report it.'],
  503: ['Unavailable', 'A part that this answer needs is not available.', ['Retry-After']],
};

/** Headers of all refusals and failures: a replayed one says so, and what of an operation was paid for, or ends, is told whatever became of it. */
const ALWAYS_TOLD: readonly HeaderName[] = [
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

/** Codes of other doors: by REST nobody names operations, sends documents or opens sockets; streams are counted together with theirs. */
const OTHER_DOORS =
  /^(?:GRAPHQL|PERSISTED|SUBSCRIPTION(?!_LIMIT$)|BATCHING|INTROSPECTION|CSRF|EVENTS)_|^(?:OPERATION_RESOLUTION_FAILURE|TOKEN_EXPIRED)$|(?<!^COST)_LIMIT_EXCEEDED$/;

/** Codes that a status may come with. */
function codesOf(status: number): readonly ErrorCode[] {
  const own = ERROR_CODES.filter((code) => statusOf(code) === status && !OTHER_DOORS.test(code));
  // By setting, a version that does not fit has the one status or the other.
  return status === 412 ? [...own, 'VERSION_MISMATCH'] : own;
}

/** What any request may meet; 409 comes from a subgraph, whatever was asked of it. */
const ALWAYS = [400, 401, 403, 408, 409, 414, 429, 431, 500, 503];

/** Every refusal and failure that a route may answer with, by status. */
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

/** The responses that `errorResponsesOf` refers to. */
export function errorResponses(forms: readonly Form[], components: Components): Readonly<Record<string, ResponseObject>> {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, [name, description, headers = []]]) => [
      name,
      {
        description,
        headers: headerReferences([...ALWAYS_TOLD, ...headers]),
        content: errorContent(name, { forms, components, codes: codesOf(Number(status)) }),
      },
    ]),
  );
}

export interface ErrorContext {
  readonly forms: readonly Form[];
  readonly components: Components;
  /** Those that the failure may have. */
  readonly codes: readonly ErrorCode[];
}

/** The flat body goes with plain resources and links, the nested one with envelopes; problems are there for whoever asks. */
function errorContent(name: string, { forms, components, codes }: ErrorContext): Content {
  const code: JsonSchema = { type: 'string', enum: codes, description: 'Stable: programs may switch on it.' };
  const details = components.refer('details', 'FailureDetails', () => DETAILS);
  const facts = { code, details };
  const flat = components.refer(`failure ${name}`, name, () => flatFailure(facts));
  const nested = components.refer(`nested failure ${name}`, `${name}Nested`, () => nestedFailure(facts));
  const problem = components.refer(`problem ${name}`, `${name}Problem`, () => problemDetails(facts));
  return { ...contentOf(forms, { plain: flat, envelope: nested, links: flat }), [PROBLEM_TYPE]: { schema: problem } };
}

const MESSAGE: JsonSchema = { type: 'string', description: 'For people; may change.' };
const TRACE_ID: JsonSchema = { type: 'string', description: 'Names what the request is a part of.' };
const REQUEST_ID: JsonSchema = { type: 'string', description: 'Names the request in our logs.' };

const DETAILS: JsonSchema = {
  type: 'array',
  description: 'What was wrong, part by part.',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'Name of the parameter, the header, or the field of the body.' },
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

/** RFC 9457. */
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
