import type { RecordedStage } from '../../platform/operation-recorder.ts';
import type { MeasuredFetch, OperationRecord } from '../records/operation-record.ts';
import type { RequestRecord } from '../records/request-record.ts';

/** Receives what was recorded, and reports it: as a line of a log, as metrics or as a trace. */
export interface TelemetrySink {
  /** Whether it reports the bytes of responses. @defaultValue false */
  readonly reportsBytes?: boolean;
  requestStarted?(request: RequestRecord): void;
  /** Called once for each HTTP request, up to 50 ms after its response and its operations. */
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

/** Returns one sink that passes everything to all sinks. */
export function toOneSink(sinks: readonly TelemetrySink[]): Required<TelemetrySink> {
  return {
    reportsBytes: sinks.some(({ reportsBytes }) => reportsBytes),
    requestStarted: toAll(sinks.map((sink) => sink.requestStarted?.bind(sink))),
    requestEnded: toAll(sinks.map((sink) => sink.requestEnded.bind(sink))),
    operationStarted: toAll(sinks.map((sink) => sink.operationStarted?.bind(sink))),
    operationEnded: toAll(sinks.map((sink) => sink.operationEnded?.bind(sink))),
    exchangeEnded: toAll(sinks.map((sink) => sink.exchangeEnded.bind(sink))),
    stageEnded(stage, durationMs) {
      for (const sink of sinks) sink.stageEnded?.(stage, durationMs);
    },
    fetchEnded: toAll(sinks.map((sink) => sink.fetchEnded?.bind(sink))),
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
