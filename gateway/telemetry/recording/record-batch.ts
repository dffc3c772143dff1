import type { OperationRecord } from '../records/operation-record.ts';
import { RequestRecord } from '../records/request-record.ts';
import type { TelemetrySink } from './telemetry-sink.ts';

/** Records that have ended, and wait until they are reported. */
export interface RecordBatch {
  /** Adds a request with its operations, or an operation without an HTTP request. */
  add(record: RequestRecord | OperationRecord): void;
  /** Reports all records that wait. */
  flush(): void;
}

/** Number of records that are reported at once. */
const MAX_RECORDS = 256;

/** Maximum time for which a record waits. @unit milliseconds */
const MAX_WAIT_MS = 50;

/**
 * Creates a batch. Reporting a record runs a dozen small functions, which take much less time in a loop than between the functions of requests
 * (ADR 102).
 */
export function createRecordBatch(sink: Required<TelemetrySink>): RecordBatch {
  let waiting: (RequestRecord | OperationRecord)[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const records = waiting;
    waiting = [];
    for (const record of records) {
      if (record instanceof RequestRecord) {
        for (const operation of record.operations) report(operation);
        sink.requestEnded(record);
      } else {
        report(record);
        sink.exchangeEnded(record);
      }
    }
  }

  function report(operation: OperationRecord): void {
    operation.isReported = true;
    for (const { stage, startedAt, endedAt } of operation.stages) {
      if (stage === 'execute') sink.stageEnded(stage, endedAt - startedAt);
    }
    for (const fetch of operation.fetches) if (fetch.endedAt !== undefined) sink.fetchEnded(fetch);
    if (operation.endedAt !== undefined) sink.operationEnded(operation);
  }

  return {
    add(record) {
      waiting.push(record);
      if (waiting.length >= MAX_RECORDS) flush();
      else timer ??= setTimeout(flush, MAX_WAIT_MS).unref();
    },
    flush,
  };
}
