import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { MeasuredFetch, OperationRecord } from '../records/operation-record.ts';
import type { RequestRecord } from '../records/request-record.ts';
import type { TelemetrySink } from '../recording/recording.ts';
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
    durations.record((endedAt - startedAt) / 1_000, kind ?? '', operationName(name), error, clientName(client?.name));
    if (isDraft) metrics.graphqlErrors.record(errorCodes.length, kind ?? '');
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
    if (isParsed) metrics.documentLookups.add(1, 'miss');
    else if (kind !== undefined) metrics.documentLookups.add(1, 'hit');
    if (cacheLookup !== undefined) metrics.responseLookups.add(1, cacheLookup);
    if (isPlanned) metrics.planLookups.add(1, 'miss');
    else if (isExecuted && cacheLookup !== 'hit') metrics.planLookups.add(1, 'hit');
  }

  function endStream({ transport, endReason = '', errorCodes }: OperationRecord): void {
    metrics.streamsOpen.add(-1, transport);
    metrics.streamsEnded.add(1, transport, endReason);
    if (errorCodes[0] === EVENTS_MISSED) metrics.eventsDropped.add(1, transport);
  }

  return {
    requestStarted({ method }: RequestRecord) {
      metrics.httpActive.add(1, methodOf(method));
    },
    requestEnded(request) {
      const { method, status, routeTemplate = '', startedAt, endedAt = startedAt } = request;
      const known = methodOf(method);
      metrics.httpActive.add(-1, known);
      const statusCode = status === undefined ? '' : (STATUS_TEXTS[status] ?? String(status));
      metrics.httpDuration.record((endedAt - startedAt) / 1_000, known, statusCode, routeTemplate, request.transport);
    },
    exchangeEnded() {
      // An operation without an HTTP request is counted when it ends.
    },
    operationStarted() {
      if (isDraft) metrics.graphqlActive.add(1);
    },
    operationEnded(operation) {
      if (isDraft) metrics.graphqlActive.add(-1);
      const { events, errorCodes, costPoints, startedAt, endedAt = startedAt } = operation;
      if (events === undefined) recordDuration(operation, endedAt);
      else endStream(operation);
      countLookups(operation);
      if (errorCodes[0] === 'RATE_LIMITED') metrics.budgetDecisions.add(1, 'rejected');
      else if (costPoints !== undefined) metrics.budgetDecisions.add(1, 'admitted');
    },
    streamOpened(operation) {
      recordDuration(operation, operation.openedAt ?? operation.now());
      metrics.streamsOpen.add(1, operation.transport);
    },
    eventSent({ transport }) {
      metrics.eventsSent.add(1, transport);
    },
    stageEnded(stage, durationMs) {
      metrics.stages.record(durationMs / 1_000, stage);
    },
    fetchEnded({ subgraph, startedAt, endedAt = startedAt, errorCode: code }: MeasuredFetch) {
      metrics.subgraphDuration.record((endedAt - startedAt) / 1_000, subgraph, code === undefined ? 'ok' : errorCode(code));
    },
  };
}

/** Texts of statuses, so that the text of equal statuses is the same string. */
const STATUS_TEXTS: readonly string[] = Array.from({ length: 600 }, (_, status) => String(status));

/** Value of `error.type` when the client disconnects before the response. */
const CLIENT_CLOSED = 'client_closed';

function methodOf(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}
