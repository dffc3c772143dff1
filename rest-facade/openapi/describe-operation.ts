import { type GraphQLSchema, isInputObjectType } from 'graphql';
import { useOf } from '../compile/documents/directives.ts';
import type { Fragments } from '../compile/documents/selections.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { readTypedVariables } from '../compile/bindings/variables.ts';
import { type BodyVersion, bodyTypes } from '../request/negotiation/body-types.ts';
import type { FieldLimits } from '../request/parameters/field-selection.ts';
import type { PageLimits } from '../request/parameters/page-request.ts';
import type { Components } from './components.ts';
import { declaredResult } from './declared-result.ts';
import { describeResponses } from './describe-answers.ts';
import { describeParameters } from './describe-parameters.ts';
import { errorResponsesOf } from './failures.ts';
import type { Form } from './forms.ts';
import { headerParameters } from './header-parameters.ts';
import { AS_THE_GRAPH, bodySchema } from './input-schema.ts';
import type { OperationObject, Reference, RequestBody, ResponseObject, SecuritySchemes } from './openapi-document.ts';
import { securityOf } from './security.ts';

export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly components: Components;
  readonly forms: readonly Form[];
  readonly bodies: BodyVersion;
  readonly limits: PageLimits & FieldLimits;
  readonly securitySchemes: SecuritySchemes;
  /** Whether callers without credentials are refused whatever they send. */
  readonly needsCredentials: (route: RestRoute) => boolean;
}

/** One route as readers of the description see it. */
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

const READ_ONLY = 'Members that GET shows and that are not listed here may be sent with their current values.';

const BODY_NOTES: Readonly<Record<string, string>> = {
  PUT: `The whole content: what is left out becomes null, or its default. ${READ_ONLY}`,
  PATCH: `What is left out stays as it is; null clears (RFC 7396). ${READ_ONLY}`,
};

function requestBody({ bindings, declared, method }: RestRoute, { schema, components, bodies }: OperationContext): RequestBody | undefined {
  if (bindings.body === undefined) return undefined;
  const variable = readTypedVariables(schema, declared).find(({ name }) => name === bindings.body?.variable);
  if (variable === undefined || !isInputObjectType(variable.nullable)) return undefined;
  const body = bodySchema(variable.nullable, useOf(variable.node, 'body')?.values ?? AS_THE_GRAPH, components);
  const note = BODY_NOTES[method];
  return {
    ...(note === undefined ? {} : { description: note }),
    required: true,
    content: Object.fromEntries(bodyTypes(method, bodies).map((type) => [type, { schema: body }])),
  };
}
