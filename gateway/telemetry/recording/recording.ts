import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { Clock } from '../../platform/clock.ts';
import { REQUEST_RECORD, type RequestHeaders } from '../../platform/request-headers.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import { type OperationObserver, OperationRecord } from '../records/operation-record.ts';
import { RecordedTrace, type SampleTrace } from '../records/recorded-trace.ts';
import type { RequestRecord } from '../records/request-record.ts';
import { createRecordBatch } from './record-batch.ts';
import { type TelemetrySink, toOneSink } from './telemetry-sink.ts';

export interface RecordingOptions {
  readonly sinks: readonly TelemetrySink[];
  /** Undefined when traces are off. */
  readonly sample: SampleTrace | undefined;
  readonly metrics: MetricRegistry | undefined;
  readonly clock: Clock;
}

/** Records of all requests that are in progress. Closing it reports those that have ended. */
export interface Recording extends Disposable {
  readonly clock: Clock;
  /** Whether the bytes of responses are counted. */
  readonly countsBytes: boolean;
  /** Undefined when traces are off. */
  readonly sample: SampleTrace | undefined;
  /** Connects a record with the headers of its request, which every part of the gateway passes on. */
  begin(headers: RequestHeaders, record: RequestRecord): void;
  /** Returns the record of the HTTP request with these headers. */
  requestOf(headers: RequestHeaders): RequestRecord | undefined;
  /** Ends a request whose response is closed. It is reported with the next ones. */
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
  const sink = toOneSink(sinks);
  const batch = createRecordBatch(sink);
  metrics?.observe(batch.flush);
  const { stageEnded, fetchEnded, operationEnded } = sink;
  /** Observes operations of HTTP requests, which are reported with their request unless they end later. */
  const observer: OperationObserver = {
    stageEnded,
    fetchEnded,
    operationEnded(operation) {
      if (operation.isReported) operationEnded(operation);
    },
  };
  /** Observes operations without an HTTP request, whose end is the end of the exchange. */
  const ofExchanges: OperationObserver = { stageEnded, fetchEnded, operationEnded: batch.add };

  return {
    clock,
    countsBytes: sink.reportsBytes,
    sample,
    metrics,
    observer,
    begin(headers, record) {
      (headers as RecordedHeaders)[REQUEST_RECORD] = record;
      sink.requestStarted(record);
    },
    requestOf: (headers) => (headers as RecordedHeaders)[REQUEST_RECORD],
    end: batch.add,
    beginOperation(request) {
      const parent = (request.headers as RecordedHeaders)[REQUEST_RECORD];
      const trace = parent === undefined ? new RecordedTrace(request.trace ?? request.headers, sample) : parent.trace;
      const operation = new OperationRecord(request, trace, clock, parent === undefined ? ofExchanges : observer);
      parent?.begin(operation);
      sink.operationStarted(operation);
      return operation;
    },
    streamOpened: sink.streamOpened,
    eventSent: sink.eventSent,
    [Symbol.dispose]: batch.flush,
  };
}
