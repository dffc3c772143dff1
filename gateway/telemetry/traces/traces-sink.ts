import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { Clock } from '../../platform/clock.ts';
import { isErrorCode, statusOf } from '../../platform/errors.ts';
import type { OperationRecord } from '../records/operation-record.ts';
import type { SampleTrace } from '../records/recorded-trace.ts';
import type { TelemetrySink } from '../recording/recording.ts';
import type { SpanWriter } from './span-writer.ts';
import { TraceWriter } from './trace-writer.ts';

/** Creates the decision that subgraphs receive in the flag `sampled`. Equal trace ids have equal decisions in all gateways. */
export function createSampler({ ratio, followParent }: TelemetryConfig['traces']): SampleTrace {
  const limit = ratio * RANGE;
  return (traceId, parent) => {
    if (followParent && parent !== undefined) return parent.isSampled;
    return Number.parseInt(traceId.slice(-DIGITS), 16) < limit;
  };
}

/** Number of hexadecimal digits of a trace id that decide. */
const DIGITS = 12;
const RANGE = 16 ** DIGITS;

/**
 * Decides about each trace when its request has ended: sampled traces, and those of failed and slow requests. Only then are its spans
 * written.
 */
export function createTracesSink(config: TelemetryConfig, writer: SpanWriter, clock: Clock): TelemetrySink {
  const { errors, slowMs } = config.traces;
  const traces = new TraceWriter(writer, config);
  const offset = (): number => clock.now() - clock.monotonic();

  function isSlow(startedAt: number, endedAt: number): boolean {
    return slowMs > 0 && endedAt - startedAt >= slowMs;
  }

  /** Returns the time at which an operation has responded. The duration of a stream is not a slow response. */
  function respondedAt({ openedAt, endedAt, startedAt }: OperationRecord): number {
    return openedAt ?? endedAt ?? startedAt;
  }

  return {
    requestEnded(request) {
      const { trace, status = 0, operations, startedAt, endedAt = startedAt } = request;
      const isStream = operations.some(({ events }) => events !== undefined);
      const isSent =
        trace.isSampled ||
        (errors && (status >= 500 || operations.some(hasFailed))) ||
        (isStream ? operations.some((operation) => isSlow(operation.startedAt, respondedAt(operation))) : isSlow(startedAt, endedAt));
      if (isSent) traces.writeRequest(request, offset());
    },
    exchangeEnded(operation) {
      const isSent = operation.trace.isSampled || (errors && hasFailed(operation)) || isSlow(operation.startedAt, respondedAt(operation));
      if (isSent) traces.writeExchange(operation, offset());
    },
  };
}

/** Whether the gateway or a subgraph has failed. Mistakes of clients do not count, because anyone could then fill the storage of traces. */
function hasFailed({ errorCodes, fetches }: OperationRecord): boolean {
  return errorCodes.some(isFailure) || fetches.some(({ errorCode }) => errorCode !== undefined && isFailure(errorCode));
}

function isFailure(code: string): boolean {
  return isErrorCode(code) && statusOf(code) >= 500;
}
