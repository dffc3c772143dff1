import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { RecordedStage } from '../../platform/operation-recorder.ts';
import { FETCH_SPAN, PROCESSING_TYPES, STAGE_SPANS } from '../catalog/span-catalog.ts';
import type { FetchRecord, OperationRecord, StageRecord } from '../records/operation-record.ts';
import type { RequestRecord } from '../records/request-record.ts';
import { ContentCache } from './content-cache.ts';
import { setAttribute, SpanContent, type SpanValue } from './span-writer.ts';

/** Describes the spans of records. The records contain no values of variables or headers, so neither do the spans. */
export interface SpanDescriptions {
  ofRequest(request: RequestRecord): SpanContent;
  ofOperation(operation: OperationRecord): SpanContent;
  /** @param operation operation of the stage. @defaultValue a stage of the request, such as those of REST */
  ofStage(stage: StageRecord, operation?: OperationRecord): SpanContent;
  ofFetch(fetch: FetchRecord): SpanContent;
}

/** Creates the descriptions. Records with equal facts have the same content. */
export function createSpanDescriptions({ graphqlConventions }: Pick<TelemetryConfig, 'graphqlConventions'>): SpanDescriptions {
  const isDraft = graphqlConventions !== 'released';
  const requests = new ContentCache();
  const operations = new ContentCache();
  const stages = new ContentCache();
  const fetches = new ContentCache();

  function describeStage({ record: { stage, errorCode }, operation }: StageOfOperation): SpanContent {
    const { name, releasedName = name } = STAGE_SPANS[stage];
    const attributes: Record<string, SpanValue> = { 'gatefold.stage': stage };
    setAttribute(attributes, 'graphql.processing.type', isDraft ? PROCESSING_TYPES[stage] : undefined);
    setAttribute(attributes, 'error.type', errorCode);
    if (operation !== undefined && WITH_OPERATION.has(stage)) {
      setAttribute(attributes, 'graphql.operation.type', operation.kind);
      setAttribute(attributes, 'graphql.operation.name', operation.name);
    }
    return new SpanContent({ name: isDraft ? name : releasedName, kind: 'internal', attributes, isError: errorCode !== undefined });
  }

  function describeFetch({ subgraph, kind, http, errorCode }: FetchRecord): SpanContent {
    const attributes: Record<string, SpanValue> = {
      'graphql.operation.type': kind,
      'gatefold.subgraph.name': subgraph,
      'http.request.method': http?.method ?? 'POST',
    };
    setAttribute(attributes, 'url.template', http?.template);
    if (isDraft) attributes['graphql.source.name'] = subgraph;
    setAttribute(attributes, 'error.type', errorCode);
    const graphqlName = isDraft ? kind : (FETCH_SPAN.releasedName ?? kind);
    // The HTTP conventions name a request by its method and URL template.
    const name = http === undefined ? graphqlName : `${http.method} ${http.template}`;
    return new SpanContent({ name, kind: 'client', attributes, isError: errorCode !== undefined });
  }

  return {
    ofRequest(request) {
      const { method, routeTemplate, status, transport, version } = request;
      return requests.of(routeTemplate ?? '', [method, status, transport, version], describeRequest, request);
    },
    ofOperation(operation) {
      const { kind, name, documentId, transport, errorCodes, costPoints, cacheLookup, client, isAbandoned } = operation;
      if (errorCodes.length > 0) return describeOperation(operation);
      const facts = [kind, costPoints, transport, documentId, cacheLookup, client?.name, client?.version, isAbandoned];
      return operations.of(name ?? '', facts, describeOperation, operation);
    },
    ofStage(record, operation) {
      const { stage, errorCode } = record;
      return stages.of(operation?.name ?? '', [stage, errorCode, operation?.kind], describeStage, { record, operation });
    },
    ofFetch(fetch) {
      const { subgraph, kind, http, errorCode } = fetch;
      return fetches.of(http?.template ?? subgraph, [subgraph, kind, http?.method, errorCode], describeFetch, fetch);
    },
  };
}

interface StageOfOperation {
  readonly record: StageRecord;
  readonly operation: OperationRecord | undefined;
}

/** Stages whose spans name the operation. */
const WITH_OPERATION: ReadonlySet<RecordedStage> = new Set(['plan', 'execute']);

function describeRequest({ method, routeTemplate, status, transport, version }: RequestRecord): SpanContent {
  const isError = status === undefined || status >= 500;
  const known = METHOD.test(method) ? method : '_OTHER';
  const attributes: Record<string, SpanValue> = { 'http.request.method': known, 'gatefold.transport': transport };
  setAttribute(attributes, 'http.response.status_code', status);
  setAttribute(attributes, 'http.route', routeTemplate);
  setAttribute(attributes, 'gatefold.api.version', version);
  if (isError) attributes['error.type'] = status === undefined ? 'client_closed' : String(status);
  const name = routeTemplate === undefined ? known : `${known} ${routeTemplate}`;
  return new SpanContent({ name, kind: 'server', attributes, isError });
}

/** Methods that the HTTP conventions know. */
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/;

function describeOperation(operation: OperationRecord): SpanContent {
  const { kind, name, documentId, transport, errorCodes, costPoints, cacheLookup, client, isAbandoned } = operation;
  const attributes: Record<string, SpanValue> = { 'gatefold.transport': transport };
  setAttribute(attributes, 'graphql.operation.type', kind);
  setAttribute(attributes, 'graphql.operation.name', name);
  setAttribute(attributes, 'graphql.document.id', documentId);
  setAttribute(attributes, 'error.type', isAbandoned ? 'client_closed' : errorCodes[0]);
  if (errorCodes.length > 0) attributes['gatefold.error.codes'] = [...new Set(errorCodes)].slice(0, MAX_CODES);
  setAttribute(attributes, 'gatefold.cost', costPoints);
  setAttribute(attributes, 'gatefold.response_cache.result', cacheLookup);
  setAttribute(attributes, 'gatefold.client.name', client?.name);
  setAttribute(attributes, 'gatefold.client.version', client?.version);
  return new SpanContent({ name: kind ?? 'GraphQL Operation', kind: 'server', attributes, isError: errorCodes.length > 0 || isAbandoned });
}

/** Maximum number of error codes of a span. */
const MAX_CODES = 10;
