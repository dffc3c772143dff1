import { errorCodeOf } from '../../platform/operation-recorder.ts';
import type { SubgraphExecutor } from '../../supergraph/subgraph-executor.ts';
import type { Recording } from './recording.ts';

/** Error code of a request that was stopped because its response is no longer needed. */
const STOPPED = 'stopped';

/** Records requests to subgraphs, and sends the trace of the operation with them. Events of subscriptions are measured without a trace. */
export function recordFetches(executor: SubgraphExecutor, { clock, observer }: Pick<Recording, 'clock' | 'observer'>): SubgraphExecutor {
  return (request, signal) => {
    const { subgraph, kind, context } = request;
    if (kind === 'subscription') return executor(request, signal); // the event itself: no request is sent
    const fetch = context.recorder?.fetch(subgraph, kind);
    const startedAt = fetch === undefined ? clock.monotonic() : 0;

    function end(errorCode?: string): void {
      if (fetch === undefined) observer.fetchEnded({ subgraph, startedAt, endedAt: clock.monotonic(), errorCode });
      else fetch.end(errorCode);
    }

    return executor(fetch?.trace === undefined ? request : { ...request, trace: fetch.trace }, signal).then(
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
