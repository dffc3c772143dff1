import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { RecordedStage } from '../../platform/operation-recorder.ts';
import { FETCH_SPAN, PROCESSING_TYPES, STAGE_SPANS } from '../catalog/span-catalog.ts';
import type { FetchRecord, OperationRecord, StageRecord } from '../records/operation-record.ts';
import type { RecordedTrace } from '../records/recorded-trace.ts';
import type { RequestRecord } from '../records/request-record.ts';
import { type BuiltSpan, remoteParent, setAttribute, type SpanIdentity, type SpanValue, toSpanTime } from './span.ts';

/** Builds the spans of requests that are sent. Nothing is built for other requests. */
export interface SpanBuilder {
  /** @param epochOffset difference between the epoch and the clock of the record. @unit milliseconds */
  ofRequest(request: RequestRecord, epochOffset: number): readonly BuiltSpan[];
  ofExchange(operation: OperationRecord, epochOffset: number): readonly BuiltSpan[];
}

/** Creates the builder of spans. The records contain no values of variables or headers, so neither do the spans. */
export function createSpanBuilder({ graphqlConventions }: Pick<TelemetryConfig, 'graphqlConventions'>): SpanBuilder {
  const isDraft = graphqlConventions !== 'released';

  function buildStage(record: StageRecord, operation: OperationRecord | undefined, parent: SpanIdentity, at: SpanContextOf): BuiltSpan {
    const { stage, startedAt, endedAt, errorCode } = record;
    const { name, releasedName = name } = STAGE_SPANS[stage];
    const attributes: Record<string, SpanValue> = { 'gatefold.stage': stage };
    const processing = isDraft ? PROCESSING_TYPES[stage] : undefined;
    setAttribute(attributes, 'graphql.processing.type', processing);
    setAttribute(attributes, 'error.type', errorCode);
    if (operation !== undefined && WITH_OPERATION.has(stage)) {
      setAttribute(attributes, 'graphql.operation.type', operation.kind);
      setAttribute(attributes, 'graphql.operation.name', operation.name);
    }
    const identity = at.newIdentity();
    const times = at.times(startedAt, endedAt);
    return {
      name: isDraft ? name : releasedName,
      kind: 'internal',
      identity,
      parent,
      ...times,
      attributes,
      isError: errorCode !== undefined,
    };
  }

  function buildFetch(fetch: FetchRecord, parent: SpanIdentity, at: SpanContextOf): BuiltSpan {
    const { subgraph, kind, http, startedAt, endedAt = at.endedAt, errorCode, spanId } = fetch;
    const attributes: Record<string, SpanValue> = {
      'graphql.operation.type': kind,
      'gatefold.subgraph.name': subgraph,
      'http.request.method': http?.method ?? 'POST',
    };
    setAttribute(attributes, 'url.template', http?.template);
    if (isDraft) attributes['graphql.source.name'] = subgraph;
    setAttribute(attributes, 'error.type', errorCode);
    return {
      name: nameOfFetch(fetch, isDraft),
      kind: 'client',
      identity: at.identityOf(spanId),
      parent,
      ...at.times(startedAt, endedAt),
      attributes,
      isError: errorCode !== undefined,
    };
  }

  function buildOperation(operation: OperationRecord, parent: SpanIdentity | undefined, at: SpanContextOf): readonly BuiltSpan[] {
    const { kind, startedAt, errorCodes, isAbandoned, stages, fetches } = operation;
    const endedAt = operation.openedAt ?? operation.endedAt ?? at.endedAt;
    const identity = at.newIdentity();
    const built: BuiltSpan[] = [
      {
        name: kind ?? 'GraphQL Operation',
        kind: 'server' as const,
        identity,
        parent,
        ...at.times(startedAt, endedAt),
        attributes: attributesOf(operation),
        isError: errorCodes.length > 0 || isAbandoned,
      },
    ];
    let execution = identity;
    for (const record of stages) {
      const span = buildStage(record, operation, identity, at);
      if (record.stage === 'execute') execution = span.identity;
      built.push(span);
    }
    for (const fetch of fetches) built.push(buildFetch(fetch, execution, at));
    return built;
  }

  return {
    ofRequest(request, epochOffset) {
      const { trace, method, routeTemplate, status, startedAt, endedAt = startedAt, operations, stages } = request;
      const at = new SpanContextOf(trace, endedAt, epochOffset);
      const identity = at.newIdentity();
      const isError = status === undefined || status >= 500;
      const known = METHOD.test(method) ? method : '_OTHER';
      const attributes: Record<string, SpanValue> = {
        'http.request.method': known,
        'gatefold.transport': request.transport,
        'gatefold.request.id': request.requestId,
      };
      setAttribute(attributes, 'http.response.status_code', status);
      setAttribute(attributes, 'http.route', routeTemplate);
      setAttribute(attributes, 'gatefold.api.version', request.version);
      if (isError) attributes['error.type'] = status === undefined ? 'client_closed' : String(status);
      return [
        {
          name: routeTemplate === undefined ? known : `${known} ${routeTemplate}`,
          kind: 'server',
          identity,
          parent: remoteParent(trace.parent),
          ...at.times(startedAt, endedAt),
          attributes,
          isError,
        },
        ...stages.map((stage) => buildStage(stage, undefined, identity, at)),
        ...operations.flatMap((operation) => buildOperation(operation, identity, at)),
      ];
    },
    ofExchange(operation, epochOffset) {
      const { trace, startedAt, endedAt = startedAt } = operation;
      return buildOperation(operation, remoteParent(trace.parent), new SpanContextOf(trace, endedAt, epochOffset));
    },
  };
}

/** Returns the name of the span of a request to a subgraph. The HTTP conventions name a request by its method and URL template. */
function nameOfFetch({ kind, http }: FetchRecord, isDraft: boolean): string {
  if (http !== undefined) return `${http.method} ${http.template}`;
  return isDraft ? kind : (FETCH_SPAN.releasedName ?? kind);
}

/** Methods that the HTTP conventions know. */
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/;

/** Stages whose spans name the operation. */
const WITH_OPERATION: ReadonlySet<RecordedStage> = new Set(['plan', 'execute']);

function attributesOf(operation: OperationRecord): Record<string, SpanValue> {
  const { kind, name, documentId, transport, requestId, errorCodes, costPoints, cacheLookup, client, isAbandoned } = operation;
  const attributes: Record<string, SpanValue> = { 'gatefold.transport': transport, 'gatefold.request.id': requestId };
  setAttribute(attributes, 'graphql.operation.type', kind);
  setAttribute(attributes, 'graphql.operation.name', name);
  setAttribute(attributes, 'graphql.document.id', documentId);
  setAttribute(attributes, 'error.type', isAbandoned ? 'client_closed' : errorCodes[0]);
  if (errorCodes.length > 0) attributes['gatefold.error.codes'] = [...new Set(errorCodes)].slice(0, MAX_CODES);
  setAttribute(attributes, 'gatefold.cost', costPoints);
  setAttribute(attributes, 'gatefold.response_cache.result', cacheLookup);
  setAttribute(attributes, 'gatefold.client.name', client?.name);
  setAttribute(attributes, 'gatefold.client.version', client?.version);
  return attributes;
}

/** Maximum number of error codes of a span. */
const MAX_CODES = 10;

/** Ids and times of the spans of one trace. */
class SpanContextOf {
  /** End of spans that have not ended themselves. */
  readonly endedAt: number;
  readonly #trace: RecordedTrace;
  readonly #epochOffset: number;

  constructor(trace: RecordedTrace, endedAt: number, epochOffset: number) {
    this.#trace = trace;
    this.endedAt = endedAt;
    this.#epochOffset = epochOffset;
  }

  newIdentity(): SpanIdentity {
    return this.identityOf(this.#trace.newSpanId());
  }

  identityOf(spanId: string): SpanIdentity {
    return { traceId: this.#trace.traceId, spanId, traceFlags: 1 };
  }

  times(startedAt: number, endedAt: number): Pick<BuiltSpan, 'startTime' | 'endTime'> {
    return { startTime: toSpanTime(startedAt + this.#epochOffset), endTime: toSpanTime(endedAt + this.#epochOffset) };
  }
}
