import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { MeasuredFetch, OperationRecord } from '../records/operation-record.ts';
import type { RequestRecord } from '../records/request-record.ts';
import type { TelemetrySink } from '../recording/telemetry-sink.ts';
import { createBoundedNames, OTHER } from './bounded-names.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** Methods that the HTTP conventions know. Others are reported as `_OTHER`. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

/** Maximum number of error codes in labels: the codes of the gateway, and those that subgraphs may pass on. */
const MAX_CODES = 200;

/** Error code with which a stream ends whose client reads too slowly. */
const EVENTS_MISSED = 'EVENTS_MAY_BE_MISSED';

/** Counts records as metrics. */
export function createMetricsSink(registry: MetricRegistry, { metrics: settings, graphqlConventions }: TelemetryConfig): TelemetrySink {
  const { metrics } = registry;
  const operationName = createBoundedNames(settings.maxOperationNames);
  const clientName = createBoundedNames(settings.maxClientNames);
  const errorCode = createBoundedNames(MAX_CODES);
  const isDraft = graphqlConventions !== 'released';
  const durations = isDraft ? metrics.graphqlDuration : metrics.operations;

  function recordDuration({ kind, name, errorCodes, client, isAbandoned, startedAt }: OperationRecord, endedAt: number): void {
    const error = isAbandoned ? CLIENT_CLOSED : errorCode(errorCodes[0]);
    durations.series(kind ?? '', operationName(name), error, clientName(client?.name)).record((endedAt - startedAt) / 1_000);
    if (isDraft) metrics.graphqlErrors.series(kind ?? '').record(errorCodes.length);
  }

  function countLookups({ kind, stages, cacheLookup }: OperationRecord): void {
    let isParsed = false;
    let isPlanned = false;
    let isExecuted = false;
    for (const { stage } of stages) {
      if (stage === 'parse') isParsed = true;
      else if (stage === 'plan') isPlanned = true;
      else if (stage === 'execute') isExecuted = true;
    }
    if (isParsed) metrics.documentLookups.series('miss').add(1);
    else if (kind !== undefined) metrics.documentLookups.series('hit').add(1);
    if (cacheLookup !== undefined) metrics.responseLookups.series(cacheLookup).add(1);
    if (isPlanned) metrics.planLookups.series('miss').add(1);
    else if (isExecuted && cacheLookup !== 'hit') metrics.planLookups.series('hit').add(1);
  }

  function endStream({ transport, endReason = '', errorCodes }: OperationRecord): void {
    metrics.streamsOpen.series(transport).add(-1);
    metrics.streamsEnded.series(transport, endReason).add(1);
    if (errorCodes[0] === EVENTS_MISSED) metrics.eventsDropped.series(transport).add(1);
  }

  return {
    requestStarted({ method }: RequestRecord) {
      metrics.httpActive.series(methodOf(method)).add(1);
    },
    requestEnded(request) {
      const { method, status, routeTemplate = '', startedAt, endedAt = startedAt } = request;
      const known = methodOf(method);
      metrics.httpActive.series(known).add(-1);
      const statusCode = status === undefined ? '' : (STATUS_TEXTS[status] ?? String(status));
      metrics.httpDuration.series(known, statusCode, routeTemplate, request.transport).record((endedAt - startedAt) / 1_000);
    },
    exchangeEnded() {
      // An operation without an HTTP request is counted when it ends.
    },
    operationStarted() {
      if (isDraft) metrics.graphqlActive.series().add(1);
    },
    operationEnded(operation) {
      if (isDraft) metrics.graphqlActive.series().add(-1);
      const { events, errorCodes, costPoints, startedAt, endedAt = startedAt } = operation;
      if (events === undefined) recordDuration(operation, endedAt);
      else endStream(operation);
      countLookups(operation);
      if (errorCodes[0] === 'RATE_LIMITED') metrics.budgetDecisions.series('rejected').add(1);
      else if (costPoints !== undefined) metrics.budgetDecisions.series('admitted').add(1);
    },
    streamOpened(operation) {
      recordDuration(operation, operation.openedAt ?? operation.now());
      metrics.streamsOpen.series(operation.transport).add(1);
    },
    eventSent({ transport }) {
      metrics.eventsSent.series(transport).add(1);
    },
    stageEnded(stage, durationMs) {
      metrics.stages.series(stage).record(durationMs / 1_000);
    },
    fetchEnded({ subgraph, startedAt, endedAt = startedAt, errorCode: code }: MeasuredFetch) {
      metrics.subgraphDuration.series(subgraph, code === undefined ? 'ok' : errorCode(code)).record((endedAt - startedAt) / 1_000);
    },
  };
}

/** Texts of statuses, so that the text of equal statuses is the same string. */
const STATUS_TEXTS: readonly string[] = Array.from({ length: 600 }, (_, status) => String(status));

/** Value of `error.type` when the client disconnects before the response. */
const CLIENT_CLOSED = 'client_closed';

/** Returns the method as the HTTP conventions report it. The most frequent methods need no search. */
function methodOf(method: string): string {
  if (method === 'POST' || method === 'GET') return method;
  return METHODS.has(method) ? method : OTHER;
}
