import { errorCodeOf, type FetchRecorder } from '../../platform/operation-recorder.ts';
import type { TraceHeaders } from '../../platform/trace-context.ts';
import type { SubgraphExecutor, SubgraphRequest } from '../../supergraph/subgraph-executor.ts';
import type { Recording } from './recording.ts';

/** Error code of a request that was stopped because its response is no longer needed. */
const STOPPED = 'stopped';

/** Records requests to subgraphs, and sends the trace of the operation with them. Events of subscriptions are measured without a trace. */
export function recordFetches(executor: SubgraphExecutor, { clock, observer }: Pick<Recording, 'clock' | 'observer'>): SubgraphExecutor {
  /** Measures a request that belongs to no operation, such as one of a subscription. */
  function measure({ subgraph }: SubgraphRequest): Pick<FetchRecorder, 'end'> {
    const startedAt = clock.monotonic();
    return { end: (errorCode) => observer.fetchEnded({ subgraph, startedAt, endedAt: clock.monotonic(), errorCode }) };
  }

  return (request, signal) => {
    const { subgraph, kind, context, http } = request;
    if (kind === 'subscription') return executor(request, signal); // the event itself: no request is sent
    const recorded = context.recorder?.fetch(subgraph, kind, http);
    const fetch = recorded ?? measure(request);
    const responding = executor(withTrace(request, recorded?.trace), signal);
    // The same promise is returned: one that waits for another is one more microtask.
    responding.then(
      ({ errors }) => fetch.end(errors?.[0]?.code),
      (error: unknown) => fetch.end(signal.aborted && error === signal.reason ? STOPPED : errorCodeOf(error)),
    );
    return responding;
  };
}

/** Adds the trace to a request. A request that has one already is sent again, and is copied; so is one that cannot be changed. */
function withTrace(request: SubgraphRequest, trace: TraceHeaders | undefined): SubgraphRequest {
  if (trace === undefined) return request;
  if (request.trace !== undefined) return { ...request, trace };
  try {
    // `Object.assign` takes several times as long.
    (request as { trace?: TraceHeaders | undefined }).trace = trace;
    return request;
  } catch {
    return { ...request, trace };
  }
}
