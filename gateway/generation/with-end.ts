import { GatewayError } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

/**
 * Ends what is still asked of subgraphs when the executor is disposed of, with an error that says why: an operation that
 * outlives its supergraph answers at once, with what it has.
 */
export function withEnd(executor: SubgraphExecutor & AsyncDisposable): SubgraphExecutor & AsyncDisposable {
  const running = new Set<(ended: GatewayError) => void>();
  let ended: GatewayError | undefined;

  const execute: SubgraphExecutor = (request, signal) => {
    if (ended !== undefined) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      running.add(reject);
      executor(request, signal).then(
        (response) => {
          running.delete(reject);
          resolve(response);
        },
        (error: unknown) => {
          running.delete(reject);
          reject(error);
        },
      );
    });
  };

  return Object.assign(execute, {
    async [Symbol.asyncDispose](): Promise<void> {
      ended = new GatewayError('GATEWAY_TIMEOUT', 'The operation took too long: what it ran on is no longer served.', {
        headers: { 'retry-after': '1' },
      });
      for (const end of running) end(ended);
      await executor[Symbol.asyncDispose]();
    },
  });
}
