import type { RecordedStage } from '../../platform/operation-recorder.ts';

/** Kind of a span. */
export type SpanKindName = 'internal' | 'server' | 'client';

/** A span of the gateway. The reference page is generated from these definitions. */
export interface SpanDefinition {
  /** Name with the draft of the GraphQL conventions. */
  readonly name: string;
  /** Name with the released conventions. @defaultValue the same */
  readonly releasedName?: string;
  readonly kind: SpanKindName;
  readonly description: string;
  /** Attributes that the span always has. */
  readonly required: readonly string[];
  /** Attributes that the span has when their value is known. */
  readonly optional: readonly string[];
}

const OPERATION = ['graphql.operation.type', 'graphql.operation.name'];

const stage = (name: string, releasedName: string, description: string, optional: readonly string[] = []): SpanDefinition => ({
  name,
  releasedName,
  kind: 'internal',
  description,
  required: ['gatefold.stage'],
  optional: ['graphql.processing.type', 'error.type', ...optional],
});

/** Spans of the stages. */
export const STAGE_SPANS: Readonly<Record<RecordedStage, SpanDefinition>> = {
  parse: stage(
    'GraphQL Document Parsing',
    'gatefold.parse',
    'Checking the limits of a document and parsing it. Only if the document is not cached.',
  ),
  validate: stage(
    'GraphQL Document Validation',
    'gatefold.validate',
    'Validating and normalizing a document. Only if the document is not cached.',
  ),
  plan: stage('GraphQL Operation Planning', 'gatefold.plan', 'Waiting for the plan. Only if the plan is not cached.', OPERATION),
  execute: stage(
    'GraphQL Operation Execution',
    'gatefold.execute',
    'Looking up the response cache, requests to subgraphs, and printing the response.',
    OPERATION,
  ),
  rest_bind: stage(
    'REST Request Binding',
    'gatefold.rest_bind',
    'Reading a REST request and binding it to the variables of its operation.',
  ),
  rest_shape: stage('REST Response Shaping', 'gatefold.rest_shape', 'Converting the result of an operation to a REST response.'),
};

/** Values of `graphql.processing.type` in the draft. Stages of REST have none. */
export const PROCESSING_TYPES: Readonly<Partial<Record<RecordedStage, string>>> = {
  parse: 'parse',
  validate: 'validate',
  plan: 'plan',
  execute: 'execute',
};

/** Span of an HTTP request. */
const HTTP_SPAN: SpanDefinition = {
  name: '{http.request.method} {http.route}',
  kind: 'server',
  description: 'A request over HTTP. It lasts until its response has ended.',
  required: ['http.request.method', 'gatefold.transport', 'gatefold.request.id'],
  optional: ['http.response.status_code', 'http.route', 'error.type', 'gatefold.api.version'],
};

/** Span of an operation. */
const OPERATION_SPAN: SpanDefinition = {
  name: '{graphql.operation.type}',
  kind: 'server',
  description:
    'An operation over any transport; `GraphQL Operation` if the document was rejected. Of a subscription, it lasts until the stream is open. It has no HTTP span above it on a WebSocket.',
  required: ['gatefold.transport', 'gatefold.request.id'],
  optional: [
    ...OPERATION,
    'graphql.document.id',
    'error.type',
    'gatefold.error.codes',
    'gatefold.cost',
    'gatefold.response_cache.result',
    'gatefold.client.name',
    'gatefold.client.version',
  ],
};

/** Span of a request to a subgraph. */
export const FETCH_SPAN: SpanDefinition = {
  name: '{graphql.operation.type}',
  releasedName: 'POST',
  kind: 'client',
  description:
    'A request to a subgraph, with its retries. The subgraph receives its id in `traceparent`. The name of a request of a connector is `{http.request.method} {url.template}`.',
  required: ['graphql.operation.type', 'gatefold.subgraph.name', 'http.request.method'],
  optional: ['graphql.source.name', 'url.template', 'error.type'],
};

/** Span of an attempt to deliver a webhook. */
export const ATTEMPT_SPAN: SpanDefinition = {
  name: 'gatefold.webhook.attempt',
  kind: 'client',
  description:
    'An attempt of the webhook service to deliver a message. All attempts of a message are one trace, whose id is derived from `webhook-id`. The receiver gets the id of the span in `traceparent`.',
  required: [
    'gatefold.webhook.id',
    'gatefold.webhook.message.id',
    'gatefold.webhook.event',
    'gatefold.webhook.attempt',
    'http.request.method',
  ],
  optional: ['http.response.status_code', 'error.type'],
};

/** All spans of the gateway and of the webhook service. */
export const SPANS: readonly SpanDefinition[] = [HTTP_SPAN, OPERATION_SPAN, ...Object.values(STAGE_SPANS), FETCH_SPAN, ATTEMPT_SPAN];
