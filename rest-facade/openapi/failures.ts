import { ERROR_CODES, type ErrorCode, statusOf } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { Components } from './components.ts';
import { errorContent } from './failure-content.ts';
import type { Form } from './forms.ts';
import { type HeaderName, headerReferences } from './headers.ts';
import type { Reference, ResponseObject } from './openapi-document.ts';

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
