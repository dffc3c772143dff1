import { Kind } from 'graphql';
import type { RestRoute } from '../compile/rest-route.ts';
import type { BodyShape } from '../request/negotiation/content-negotiation.ts';
import { canBeMinimal } from '../request/negotiation/prefer.ts';
import { EVENT_STREAM_TYPE } from '../response/event-format.ts';
import { type DeclaredResult, declaredResult } from './declared-result.ts';
import { type HeaderName, headerReferences } from './describe-headers.ts';
import type { JsonSchema, Reference, ResponseObject } from './openapi-document.ts';
import { withSelf } from './schemas/links-schema.ts';
import { pageSchema } from './schemas/page-schema.ts';
import { contentOf, type DescribedRepresentation, inEnvelope, pageInEnvelope } from './schemas/representations.ts';
import { type ResultContext, resultSchema } from './schemas/result-schema.ts';

export interface ResponseContext extends ResultContext {
  readonly representations: readonly DescribedRepresentation[];
}

const ALWAYS: readonly HeaderName[] = ['X-Correlation-Id', 'API-Version', 'Cache-Control'];

const EVENTS = [
  'Server-sent events. The data of an event without a name is the resource as JSON.',
  'The data of the event `failure` has the members `error`, `message` and `traceId`: one event could not be shown, or, if no event follows, the stream ended because of this error.',
  'The event `end` has no data and marks the end of the stream.',
].join(' ');

/** Described headers of responses without a body. The description of the interface mentions the other ones. */
const HEADERS_WITHOUT_BODY: readonly HeaderName[] = [...ALWAYS, 'Vary', 'ETag'];

/** Responses without a body, by their names in the components. */
export const EMPTY_RESPONSES = {
  NotModified: {
    description: 'The client has the current representation.',
    headers: headerReferences([...HEADERS_WITHOUT_BODY, 'Age']),
  },
  NoContent: {
    description: 'The request succeeded. The response has no body.',
    headers: headerReferences(HEADERS_WITHOUT_BODY),
  },
} as const satisfies Readonly<Record<string, ResponseObject>>;

const NOT_MODIFIED: Reference = { $ref: '#/components/responses/NotModified' };
const NO_CONTENT: Reference = { $ref: '#/components/responses/NoContent' };

/** Describes the successful responses of a route, by status. */
export function describeResponses(
  route: RestRoute,
  result: DeclaredResult | undefined,
  context: ResponseContext,
): Readonly<Record<string, ResponseObject | Reference>> {
  const { status, method } = route;
  const headers = headerReferences(headersOf(route));
  if (route.isStream) {
    const content = { [EVENT_STREAM_TYPE]: { schema: { type: 'string', description: EVENTS } } } as const;
    return {
      200: {
        description: 'Events, sent as they occur until the client closes the connection.',
        headers: headerReferences(ALWAYS),
        content,
      },
    };
  }
  if (status === 204) return { 204: NO_CONTENT };
  const response: ResponseObject = {
    description: descriptionOf(route),
    headers,
    content: contentOf(context.representations, result === undefined ? ANYTHING : responseSchemas(route, result, context)),
  };
  if (method === 'GET') return { [status]: response, 304: NOT_MODIFIED };
  return status === 200 && canBeMinimal(route) ? { 200: response, 204: NO_CONTENT } : { [status]: response };
}

/** Returns the headers of all successful responses of a route. */
function headersOf({ method, location, bindings, lifespan, result: { validators, collection } }: RestRoute): readonly HeaderName[] {
  const isKeyed = method === 'POST' || method === 'PATCH';
  const isEnding = lifespan.deprecatedAt !== undefined;
  return [
    ...ALWAYS,
    ...(method === 'GET' ? (['Age'] as const) : []),
    ...(method === 'PUT' || method === 'DELETE' ? [] : (['ETag'] as const)),
    ...(validators.lastModified === undefined ? [] : (['Last-Modified'] as const)),
    ...(location === undefined ? [] : (['Location'] as const)),
    'Content-Location',
    'Preference-Applied',
    ...(isKeyed ? (['Idempotent-Replayed'] as const) : []),
    ...(isEnding ? (['Deprecation', 'Sunset'] as const) : []),
    ...(isEnding || bindings.page !== undefined ? (['Link'] as const) : []),
    ...(collection === undefined ? [] : (['X-Total-Count'] as const)),
  ];
}

function descriptionOf({ result, status, method }: RestRoute): string {
  if (result.collection !== undefined) return result.isPage ? 'A page of items.' : 'The items.';
  if (status === 201) return 'The created resource.';
  return method === 'GET' ? 'The resource.' : 'The resource after the change.';
}

type Schemas = Readonly<Record<BodyShape, JsonSchema>>;

const ANYTHING: Schemas = { plain: {}, envelope: {}, links: {} };

/** Describes the whole resource or, if the client can send `fields`, also a part of it. */
function wholeOrSome(route: RestRoute, describe: (isNarrowed: boolean) => JsonSchema): JsonSchema {
  const whole = describe(false);
  if (!route.bindings.parameters.has('fields')) return whole;
  const some = describe(true);
  return JSON.stringify(some) === JSON.stringify(whole) ? whole : { anyOf: [whole, some] };
}

function responseSchemas(route: RestRoute, result: DeclaredResult, context: ResponseContext): Schemas {
  const { page } = route.bindings;
  const { components } = context;
  const shown = { selections: result.selectionSet.selections };
  const [first, ...others] = shown.selections;
  const isFragment = first?.kind === Kind.FRAGMENT_SPREAD && others.length === 0;
  const name = isFragment ? first.name.value : route.operationName;
  const isLone = page === undefined && route.result.collection?.isBare !== true;
  const schemaOf = (hasLinks: boolean): JsonSchema =>
    wholeOrSome(route, (isNarrowed) => {
      const own = { ...context, hasLinks, isNarrowed };
      const schema = resultSchema(shown, result.type, own);
      if (!isLone) return schema;
      const whole = withHoisted(schema, route, own);
      return hasLinks && route.result.shape.links === undefined ? withSelf(whole, components) : whole;
    });
  // Each schema appears in several media types, so it is a component.
  const named = (schema: JsonSchema, suffix = ''): JsonSchema =>
    schema.$ref === undefined ? components.refer(`response ${JSON.stringify(schema)}`, `${name}Response${suffix}`, () => schema) : schema;
  const plain = named(schemaOf(false));
  const linked = named(schemaOf(true), 'WithLinks');
  if (route.result.collection?.isBare === true) {
    const items: JsonSchema = { type: 'array', items: plain };
    return { plain: items, envelope: inEnvelope(`${name}List`, items, components), links: { type: 'array', items: linked } };
  }
  if (page !== undefined) {
    return {
      plain: named(pageSchema(page, { name, schema: plain }, components), 'Page'),
      envelope: pageInEnvelope(page, { name, schema: plain }, components),
      links: pageSchema(page, { name, schema: linked, hasLinks: true }, components),
    };
  }
  return { plain, envelope: inEnvelope(name, plain, components), links: linked };
}

/** Adds the `@hoist` fields of the parent object to the schema of a response. */
function withHoisted(schema: JsonSchema, route: RestRoute, context: ResultContext): JsonSchema {
  const { hoisted = [], path } = route.result;
  if (hoisted.length === 0) return schema;
  const holder = declaredResult({ ...route, result: { ...route.result, path: path.slice(0, -1) } }, context.schema);
  if (holder === undefined) return schema;
  const names = new Set(hoisted);
  const selections = holder.selectionSet.selections.filter(
    (selection) => selection.kind === Kind.FIELD && names.has((selection.alias ?? selection.name).value),
  );
  const { description: _, ...own } = resultSchema({ selections }, holder.type, context);
  return { allOf: [schema, own] };
}
