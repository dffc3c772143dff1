import { errorCodeOf } from '../../platform/operation-recorder.ts';
import type { TraceHeaders } from '../../platform/trace-context.ts';
import type { SubgraphExecutor, SubgraphRequest } from '../../supergraph/subgraph-executor.ts';
import type { Recording } from './recording.ts';

/** Error code of a request that was stopped because its response is no longer needed. */
const STOPPED = 'stopped';

/** Records requests to subgraphs, and sends the trace of the operation with them. Events of subscriptions are measured without a trace. */
export function recordFetches(executor: SubgraphExecutor, { clock, observer }: Pick<Recording, 'clock' | 'observer'>): SubgraphExecutor {
  return (request, signal) => {
    const { subgraph, kind, context, http } = request;
    if (kind === 'subscription') return executor(request, signal); // the event itself: no request is sent
    const fetch = context.recorder?.fetch(subgraph, kind, http);
    const startedAt = fetch === undefined ? clock.monotonic() : 0;

    function end(errorCode?: string): void {
      if (fetch === undefined) observer.fetchEnded({ subgraph, startedAt, endedAt: clock.monotonic(), errorCode });
      else fetch.end(errorCode);
    }

    return executor(withTrace(request, fetch?.trace), signal).then(
      (response) => {
        end(response.errors?.[0]?.code);
        return response;
      },
      (error: unknown) => {
        end(signal.aborted && error === signal.reason ? STOPPED : errorCodeOf(error));
        throw error;
      },
    );
  };
}

/** Adds the trace to a request. A request that has one already is sent again, and is copied. */
function withTrace(request: SubgraphRequest, trace: TraceHeaders | undefined): SubgraphRequest {
  if (trace === undefined) return request;
  return request.trace === undefined ? Object.assign(request, { trace }) : { ...request, trace };
}
