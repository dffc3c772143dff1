import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RecordedStage } from '../../platform/operation-recorder.ts';
import { REQUEST_RECORD, type RequestHeaders } from '../../platform/request-headers.ts';
import { type MeasuredFetch, type OperationObserver, OperationRecord } from '../records/operation-record.ts';
import { RecordedTrace, type SampleTrace } from '../records/recorded-trace.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { RequestRecord } from '../records/request-record.ts';

/** Receives what was recorded, and reports it: as a line of a log, as metrics or as a trace. */
export interface TelemetrySink {
  /** Whether it reports the bytes of responses. @defaultValue false */
  readonly reportsBytes?: boolean;
  requestStarted?(request: RequestRecord): void;
  /** Called once for each HTTP request, after its response and its operations. */
  requestEnded(request: RequestRecord): void;
  operationStarted?(operation: OperationRecord): void;
  operationEnded?(operation: OperationRecord): void;
  /** Called once for each operation that has no HTTP request, such as the operations of a WebSocket. */
  exchangeEnded(operation: OperationRecord): void;
  stageEnded?(stage: RecordedStage, durationMs: number): void;
  fetchEnded?(fetch: MeasuredFetch): void;
  streamOpened?(operation: OperationRecord): void;
  eventSent?(operation: OperationRecord): void;
}

export interface RecordingOptions {
  readonly sinks: readonly TelemetrySink[];
  /** Undefined when traces are off. */
  readonly sample: SampleTrace | undefined;
  readonly metrics: MetricRegistry | undefined;
  readonly clock: Clock;
}

/** Records of all requests that are in progress. */
export interface Recording {
  readonly clock: Clock;
  /** Whether the bytes of responses are counted. */
  readonly countsBytes: boolean;
  /** Undefined when traces are off. */
  readonly sample: SampleTrace | undefined;
  /** Connects a record with the headers of its request, which every part of the gateway passes on. */
  begin(headers: RequestHeaders, record: RequestRecord): void;
  /** Returns the record of the HTTP request with these headers. */
  requestOf(headers: RequestHeaders): RequestRecord | undefined;
  end(record: RequestRecord): void;
  beginOperation(request: OperationRequest): OperationRecord;
  streamOpened(operation: OperationRecord): void;
  eventSent(operation: OperationRecord): void;
  readonly observer: Pick<OperationObserver, 'stageEnded' | 'fetchEnded'>;
  /** Metrics. Undefined when they are off. */
  readonly metrics: MetricRegistry | undefined;
}

/** Headers with the record of their request. */
type RecordedHeaders = RequestHeaders & { [REQUEST_RECORD]?: RequestRecord };

export function createRecording({ sinks, sample, metrics, clock }: RecordingOptions): Recording {
  const operationStarted = toAll(sinks.map((sink) => sink.operationStarted?.bind(sink)));
  const operationEnded = toAll(sinks.map((sink) => sink.operationEnded?.bind(sink)));
  const exchangeEnded = toAll(sinks.map((sink) => sink.exchangeEnded.bind(sink)));
  const requestStarted = toAll(sinks.map((sink) => sink.requestStarted?.bind(sink)));
  const stageSinks = sinks.flatMap((sink) => sink.stageEnded?.bind(sink) ?? []);
  const [firstStageSink, ...moreStageSinks] = stageSinks;
  const observer: OperationObserver = {
    stageEnded(stage, durationMs) {
      firstStageSink?.(stage, durationMs);
      if (moreStageSinks.length > 0) for (const ended of moreStageSinks) ended(stage, durationMs);
    },
    fetchEnded: toAll(sinks.map((sink) => sink.fetchEnded?.bind(sink))),
    operationEnded,
  };

  /** Observes operations without an HTTP request, whose end is the end of the exchange. */
  const ofExchanges: OperationObserver = {
    ...observer,
    operationEnded(operation) {
      operationEnded(operation);
      exchangeEnded(operation);
    },
  };

  return {
    clock,
    countsBytes: sinks.some(({ reportsBytes }) => reportsBytes),
    sample,
    metrics,
    observer,
    begin(headers, record) {
      (headers as RecordedHeaders)[REQUEST_RECORD] = record;
      requestStarted(record);
    },
    requestOf: (headers) => (headers as RecordedHeaders)[REQUEST_RECORD],
    end: toAll(sinks.map((sink) => sink.requestEnded.bind(sink))),
    beginOperation(request) {
      const parent = (request.headers as RecordedHeaders)[REQUEST_RECORD];
      const trace = parent === undefined ? new RecordedTrace(request.trace ?? request.headers, sample) : parent.trace;
      const operation = new OperationRecord(request, trace, clock, parent === undefined ? ofExchanges : observer);
      parent?.begin(operation);
      operationStarted(operation);
      return operation;
    },
    streamOpened: toAll(sinks.map((sink) => sink.streamOpened?.bind(sink))),
    eventSent: toAll(sinks.map((sink) => sink.eventSent?.bind(sink))),
  };
}

/** Returns one function that calls all functions in turn, without a loop for up to three. */
function toAll<Fact>(functions: readonly (((fact: Fact) => void) | undefined)[]): (fact: Fact) => void {
  const [first, second, third] = functions.filter((one) => one !== undefined);
  if (first === undefined) return () => undefined;
  if (second === undefined) return first;
  if (third === undefined) {
    return (fact) => {
      first(fact);
      second(fact);
    };
  }
  return (fact) => {
    first(fact);
    second(fact);
    third(fact);
  };
}
