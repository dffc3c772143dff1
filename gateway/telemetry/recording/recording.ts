import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RecordedStage } from '../../platform/operation-recorder.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import { type MeasuredFetch, type OperationObserver, OperationRecord } from '../records/operation-record.ts';
import { RecordedTrace, type SampleTrace } from '../records/recorded-trace.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { RequestRecord } from '../records/request-record.ts';

/** Receives what was recorded, and reports it: as a line of a log, as metrics or as a trace. */
export interface TelemetrySink {
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

/**
 * Position of the record in the headers object. A `WeakMap` by headers would have an entry for each request that garbage collection visits.
 * Functions that read the names of headers ignore symbols.
 */
const RECORD = Symbol('record');

type RecordedHeaders = RequestHeaders & { [RECORD]?: RequestRecord };

export function createRecording({ sinks, sample, metrics, clock }: RecordingOptions): Recording {
  const observer: OperationObserver = {
    stageEnded(stage, durationMs) {
      for (const sink of sinks) sink.stageEnded?.(stage, durationMs);
    },
    fetchEnded(fetch) {
      for (const sink of sinks) sink.fetchEnded?.(fetch);
    },
    operationEnded(operation) {
      for (const sink of sinks) sink.operationEnded?.(operation);
    },
  };

  /** Observes operations without an HTTP request, whose end is the end of the exchange. */
  const ofExchanges: OperationObserver = {
    ...observer,
    operationEnded(operation) {
      observer.operationEnded(operation);
      for (const sink of sinks) sink.exchangeEnded(operation);
    },
  };

  return {
    clock,
    sample,
    metrics,
    observer,
    begin(headers, record) {
      (headers as RecordedHeaders)[RECORD] = record;
      for (const sink of sinks) sink.requestStarted?.(record);
    },
    requestOf: (headers) => (headers as RecordedHeaders)[RECORD],
    end(record) {
      for (const sink of sinks) sink.requestEnded(record);
    },
    beginOperation(request) {
      const parent = (request.headers as RecordedHeaders)[RECORD];
      const trace = parent?.trace ?? new RecordedTrace(request.trace ?? request.headers, sample);
      const operation = new OperationRecord(request, trace, clock, parent === undefined ? ofExchanges : observer);
      parent?.operations.push(operation);
      for (const sink of sinks) sink.operationStarted?.(operation);
      return operation;
    },
    streamOpened(operation) {
      for (const sink of sinks) sink.streamOpened?.(operation);
    },
    eventSent(operation) {
      for (const sink of sinks) sink.eventSent?.(operation);
    },
  };
}
