import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { Clock } from '../../platform/clock.ts';
import { isErrorCode, statusOf } from '../../platform/errors.ts';
import type { OperationRecord } from '../records/operation-record.ts';
import type { RequestRecord } from '../records/request-record.ts';
import { readHexInteger } from '../records/random-ids.ts';
import type { SampleTrace } from '../records/recorded-trace.ts';
import type { TelemetrySink } from '../recording/telemetry-sink.ts';
import type { SpanWriter } from './span-writer.ts';
import { TraceWriter } from './trace-writer.ts';

/** Creates the decision that subgraphs receive in the flag `sampled`. Equal trace ids have equal decisions in all gateways. */
export function createSampler({ ratio, followParent }: TelemetryConfig['traces']): SampleTrace {
  const limit = ratio * RANGE;
  return (traceId, parent) => {
    if (followParent && parent !== undefined) return parent.isSampled;
    const high = readHexInteger(traceId, 16) & 0xff_ff;
    const low = readHexInteger(traceId, 24) >>> 0;
    return high * TWO_32 + low < limit;
  };
}

/** Range of the last twelve hexadecimal digits of a trace id, which decide. */
const RANGE = 16 ** 12;
const TWO_32 = 2 ** 32;

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

  /** Whether an operation failed or was slow until it responded. The duration of a stream is not a slow response. */
  function isNotable(operation: OperationRecord): boolean {
    const { openedAt, endedAt, startedAt } = operation;
    return (errors && hasFailed(operation)) || isSlow(startedAt, openedAt ?? endedAt ?? startedAt);
  }

  function isRequestNotable({ status = 0, operations, startedAt, endedAt = startedAt }: RequestRecord): boolean {
    if (errors && status >= 500) return true;
    let isStream = false;
    for (const operation of operations) {
      if (isNotable(operation)) return true;
      isStream ||= operation.events !== undefined;
    }
    return !isStream && isSlow(startedAt, endedAt);
  }

  return {
    requestEnded(request) {
      if (request.trace.isSampled || isRequestNotable(request)) traces.writeRequest(request, offset());
    },
    exchangeEnded(operation) {
      if (operation.trace.isSampled || isNotable(operation)) traces.writeExchange(operation, offset());
    },
  };
}

/** Whether the gateway or a subgraph has failed. Mistakes of clients do not count, because anyone could then fill the storage of traces. */
function hasFailed({ errorCodes, fetches }: OperationRecord): boolean {
  for (const code of errorCodes) if (isFailure(code)) return true;
  for (const { errorCode } of fetches) if (errorCode !== undefined && isFailure(errorCode)) return true;
  return false;
}

function isFailure(code: string): boolean {
  return isErrorCode(code) && statusOf(code) >= 500;
}
