import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { FetchRecord, OperationRecord, StageRecord } from '../records/operation-record.ts';
import { randomInteger, readHexInteger, SPAN_ID_AT } from '../records/random-ids.ts';
import type { RecordedTrace } from '../records/recorded-trace.ts';
import type { RequestRecord } from '../records/request-record.ts';
import { createSpanDescriptions, type SpanDescriptions } from './describe-spans.ts';
import { SpanPosition, type SpanWriter } from './span-writer.ts';

/**
 * Writes the spans of the requests whose traces are sent. Everything about a request is written at once, so that nothing of it stays in
 * memory.
 */
export class TraceWriter {
  private readonly writer: SpanWriter;
  private readonly descriptions: SpanDescriptions;
  private readonly position = new SpanPosition();
  /** Difference between the epoch and the clock of the records. @unit milliseconds */
  private epochOffset = 0;
  /** End of spans that have not ended themselves, on the clock of the records. */
  private endedAt = 0;

  constructor(writer: SpanWriter, config: Pick<TelemetryConfig, 'graphqlConventions'>) {
    this.writer = writer;
    this.descriptions = createSpanDescriptions(config);
  }

  /** @param epochOffset difference between the epoch and the clock of the record. @unit milliseconds */
  writeRequest(request: RequestRecord, epochOffset: number): void {
    const { position } = this;
    const { startedAt, endedAt = startedAt } = request;
    this.begin(request.trace, endedAt, epochOffset);
    this.identify(startedAt, endedAt);
    position.requestId = request.requestId;
    this.writer.write(this.descriptions.ofRequest(request), position);
    const { idHigh, idLow } = position;
    position.parent = 'local';
    position.parentHigh = idHigh;
    position.parentLow = idLow;
    for (const stage of request.stages) this.writeStage(stage);
    for (const operation of request.operations) {
      position.parentHigh = idHigh;
      position.parentLow = idLow;
      this.writeOperation(operation);
    }
  }

  /** Writes the spans of an operation without an HTTP request. @param epochOffset as of `writeRequest` */
  writeExchange(operation: OperationRecord, epochOffset: number): void {
    const { startedAt, endedAt = startedAt } = operation;
    this.begin(operation.trace, endedAt, epochOffset);
    this.writeOperation(operation);
  }

  private begin({ traceId, parent }: RecordedTrace, endedAt: number, epochOffset: number): void {
    const { position } = this;
    this.endedAt = endedAt;
    this.epochOffset = epochOffset;
    position.traceId = traceId;
    position.parent = 'none';
    if (parent === undefined) return;
    position.parent = 'remote';
    position.parentHigh = readHexInteger(parent.spanId, 0);
    position.parentLow = readHexInteger(parent.spanId, 8);
  }

  /** Sets a new id, and the times of the next span. */
  private identify(startedAt: number, endedAt: number): void {
    const { position, epochOffset } = this;
    position.idHigh = randomInteger();
    position.idLow = randomInteger();
    position.startedAt = startedAt + epochOffset;
    position.endedAt = endedAt + epochOffset;
  }

  /** Writes an operation whose parent is in the position. */
  private writeOperation(operation: OperationRecord): void {
    const { position } = this;
    this.identify(operation.startedAt, operation.openedAt ?? operation.endedAt ?? this.endedAt);
    position.requestId = operation.requestId;
    this.writer.write(this.descriptions.ofOperation(operation), position);
    const { idHigh, idLow } = position;
    let executionHigh = idHigh;
    let executionLow = idLow;
    position.parent = 'local';
    position.parentHigh = idHigh;
    position.parentLow = idLow;
    for (const stage of operation.stages) {
      this.writeStage(stage, operation);
      if (stage.stage !== 'execute') continue;
      executionHigh = position.idHigh;
      executionLow = position.idLow;
    }
    position.parentHigh = executionHigh;
    position.parentLow = executionLow;
    for (const fetch of operation.fetches) this.writeFetch(fetch);
  }

  private writeStage(stage: StageRecord, operation?: OperationRecord): void {
    this.identify(stage.startedAt, stage.endedAt);
    this.position.requestId = undefined;
    this.writer.write(this.descriptions.ofStage(stage, operation), this.position);
  }

  private writeFetch(fetch: FetchRecord): void {
    const { position } = this;
    this.identify(fetch.startedAt, fetch.endedAt ?? this.endedAt);
    // The subgraph has received this id.
    const traceparent = fetch.trace?.traceparent ?? '';
    position.idHigh = readHexInteger(traceparent, SPAN_ID_AT);
    position.idLow = readHexInteger(traceparent, SPAN_ID_AT + 8);
    position.requestId = undefined;
    this.writer.write(this.descriptions.ofFetch(fetch), position);
  }
}
