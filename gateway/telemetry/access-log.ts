import { type DestinationStream, destination } from 'pino';
import type { TelemetryConfig } from '../config/sections/telemetry.ts';
import type { Clock } from '../platform/clock.ts';
import type { OperationRecord } from './records/operation-record.ts';
import type { TelemetrySink } from './recording/telemetry-sink.ts';
import type { RecordedTrace } from './records/recorded-trace.ts';
import type { RequestRecord } from './records/request-record.ts';

/** Writes one line of a log, without its line break. */
export type WriteLine = (line: string) => void;

/** Access log that is open. */
export interface AccessLog extends TelemetrySink, Disposable {}

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** Opens the access log of the configuration. Undefined when it is off. */
export function openAccessLog({ accessLog }: Pick<TelemetryConfig, 'accessLog'>, clock: Clock): AccessLog | undefined {
  if (accessLog === 'off') return undefined;
  // The lines of many requests are written at once. They are flushed after a short time and when the process ends.
  const stream = destination({ fd: DESCRIPTORS[accessLog], sync: false, periodicFlush: FLUSH_INTERVAL_MS, minLength: BUFFER_BYTES });
  const flush = (): void => flushQuietly(stream);
  process.on('exit', flush);
  return {
    ...createAccessLog((line) => void stream.write(`${line}\n`), clock),
    [Symbol.dispose]() {
      process.off('exit', flush);
      flush();
    },
  };
}

/** Maximum time for which a line waits in memory. @unit milliseconds */
const FLUSH_INTERVAL_MS = 500;

/** Size from which lines are written immediately. @unit bytes */
const BUFFER_BYTES = 16_384;

/** Writes the lines in memory. A reader of the log that has ended must not end the gateway. */
function flushQuietly(stream: DestinationStream & { flushSync(): void }): void {
  try {
    stream.flushSync();
  } catch {
    // The lines cannot be written any more.
  }
}

/** Creates an access log: one line of JSON for each HTTP request, and for each operation of a WebSocket. */
export function createAccessLog(write: WriteLine, clock: Clock): TelemetrySink {
  const timeOf = (startedAt: number): string => new Date(clock.now() - (clock.monotonic() - startedAt)).toISOString();
  return {
    reportsBytes: true,
    requestEnded(request) {
      const durationMs = durationOf(request);
      const { operations } = request;
      const [first] = operations;
      write(
        JSON.stringify({
          time: timeOf(request.startedAt),
          type: 'access',
          requestId: request.requestId,
          transport: request.transport,
          method: request.method,
          route: request.routeTemplate,
          version: request.version,
          status: request.status,
          durationMs,
          bytes: request.bytes,
          isAborted: request.status === undefined ? true : undefined,
          client: first?.client,
          ...(operations.length > 1 && isBatch(request) ? { operations: operations.map(factsOf) } : mergedFactsOf(operations)),
          traceId: traceIdOf(request.trace),
        }),
      );
    },
    exchangeEnded(operation) {
      const durationMs = durationOf(operation);
      write(
        JSON.stringify({
          time: timeOf(operation.startedAt),
          type: 'access',
          requestId: operation.requestId,
          transport: operation.transport,
          durationMs,
          isAborted: operation.isAbandoned ? true : undefined,
          client: operation.client,
          ...factsOf(operation),
          traceId: traceIdOf(operation.trace),
        }),
      );
    },
  };
}

/** Whether the client sent several operations. A REST request can execute several operations too, of which the last one is its own. */
function isBatch({ transport }: RequestRecord): boolean {
  return transport !== 'rest';
}

function factsOf(operation: OperationRecord): object {
  const { name, kind, documentId, errorCodes, costPoints, cacheLookup, events, endReason } = operation;
  return {
    operation: name,
    operationType: kind,
    documentId,
    errors: errorCodes.length === 0 ? undefined : errorCodes.slice(0, MAX_CODES),
    cost: costPoints,
    cache: cacheLookup,
    events,
    endReason,
  };
}

/** Maximum number of error codes in one line. */
const MAX_CODES = 10;

/** Returns the facts of the last operation, with the cost of all. */
function mergedFactsOf(operations: readonly OperationRecord[]): object {
  const last = operations.at(-1);
  if (last === undefined) return {};
  if (operations.length === 1) return factsOf(last);
  return { ...factsOf(last), cost: operations.reduce((sum, { costPoints = 0 }) => sum + costPoints, 0) };
}

/** Returns the duration, rounded to microseconds. @unit milliseconds */
function durationOf({ startedAt, endedAt = startedAt }: Pick<RequestRecord, 'startedAt' | 'endedAt'>): number {
  return Math.round((endedAt - startedAt) * 1_000) / 1_000;
}

/** Returns the id of the trace. Undefined when traces are off and the client has sent none. */
function traceIdOf(trace: RecordedTrace): string | undefined {
  return trace.isRecorded ? trace.traceId : trace.parent?.traceId;
}
