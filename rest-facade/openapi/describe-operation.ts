import type { GraphQLSchema } from 'graphql';
import type { Fragments } from '../compile/documents/selections.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { bodyTypes, type BodyVersion } from '../request/negotiation/body-types.ts';
import { vendorType } from '../request/negotiation/content-negotiation.ts';
import type { FieldLimits } from '../request/parameters/field-selection.ts';
import type { PageLimits } from '../request/parameters/page-request.ts';
import { declaredResult } from './declared-result.ts';
import { describeParameters } from './describe-parameters.ts';
import { describeResponses } from './describe-responses.ts';
import { errorResponsesOf } from './error-responses.ts';
import { headerParameters } from './header-parameters.ts';
import type { OperationObject, Reference, RequestBody, ResponseObject, SecurityRequirement, SecuritySchemes } from './openapi-document.ts';
import type { Components } from './schemas/components.ts';
import { bodySchema } from './schemas/input-schema.ts';
import type { DescribedRepresentation } from './schemas/representations.ts';

export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly components: Components;
  readonly representations: readonly DescribedRepresentation[];
  readonly bodies: BodyVersion;
  readonly limits: PageLimits & FieldLimits;
  readonly securitySchemes: SecuritySchemes;
  /** Whether callers without credentials are rejected for every request. */
  readonly needsCredentials: (route: RestRoute) => boolean;
}

/** Describes one route as an OpenAPI operation. */
export function describeOperation(route: RestRoute, operationId: string, context: OperationContext): OperationObject {
  const result = declaredResult(route, context.schema);
  const [summary = '', ...rest] = (route.declared.description?.value ?? operationId).split('\n');
  const description = rest.join('\n').trim();
  const body = requestBody(route, context);
  const responses: Readonly<Record<string, ResponseObject | Reference>> = {
    ...describeResponses(route, result, context),
    ...errorResponsesOf(route),
  };
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    ...(result === undefined ? {} : { tags: [result.type.name] }),
    ...(route.lifespan.deprecatedAt === undefined ? {} : { deprecated: true }),
    security: securityOf(context.securitySchemes, context.needsCredentials(route)),
    parameters: [...describeParameters(route, context), { $ref: '#/components/parameters/Version' }, ...headerParameters(route)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses,
  };
}

const READ_ONLY = 'The body may contain other members that GET shows, if they have their current values.';

const BODY_NOTES: Readonly<Record<string, string>> = {
  PUT: `Replaces the whole resource: a member that is absent becomes null or its default. ${READ_ONLY}`,
  PATCH: `Changes only the members in the body, and null clears a member (RFC 7396). ${READ_ONLY}`,
};

function requestBody({ bindings: { body }, method }: RestRoute, { components, bodies }: OperationContext): RequestBody | undefined {
  if (body === undefined) return undefined;
  const schema = bodySchema(body.type, body.writing, components);
  const note = BODY_NOTES[method];
  return {
    ...(note === undefined ? {} : { description: note }),
    required: true,
    content: Object.fromEntries(describedBodyTypes(method, bodies).map((type) => [type, { schema }])),
  };
}

/** Returns the media types of a body without the one that names the version, like those of responses. */
function describedBodyTypes(method: RestRoute['method'], bodies: BodyVersion): readonly string[] {
  const versioned = vendorType(bodies.vendor, 'plain', bodies.version);
  return bodyTypes(method, bodies).filter((type) => type !== versioned);
}

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Bearer token (RFC 6750).' },
  basic: { type: 'http', scheme: 'basic', description: 'User name and password (RFC 7617).' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key of a service.' },
} as const satisfies SecuritySchemes;

/** Detects each scheme in the challenges of a 401 response. */
const CHALLENGES = { bearer: /\bBearer\b/i, basic: /\bBasic\b/i, apiKey: /\bApiKey\b/i };

/**
 * Returns the authentication schemes that the challenges name.
 *
 * @param challenges value of `WWW-Authenticate` for callers without credentials
 */
export function securitySchemes(challenges: string): SecuritySchemes {
  return Object.fromEntries(
    (['bearer', 'basic', 'apiKey'] as const).flatMap((name) => (CHALLENGES[name].test(challenges) ? [[name, SCHEMES[name]]] : [])),
  );
}

/** Accepts any one of the schemes, and also no credentials if `isRequired` is false. */
function securityOf(schemes: SecuritySchemes, isRequired: boolean): readonly SecurityRequirement[] {
  const paths = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return isRequired ? paths : [{}, ...paths];
}
