import { GatewayError } from '../platform/errors.ts';
import { createSwapRemoveList, type SwapRemoveItem } from '../platform/swap-remove-list.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

interface Running extends SwapRemoveItem {
  end(ended: GatewayError): void;
}

/**
 * Ends pending subgraph requests with an error when the executor is disposed of. An operation that outlives its supergraph then responds at
 * once with the data it has.
 */
export function withEnd(executor: SubgraphExecutor & AsyncDisposable): SubgraphExecutor & AsyncDisposable {
  const running = createSwapRemoveList<Running>();
  let ended: GatewayError | undefined;

  const execute: SubgraphExecutor = (request, signal) => {
    if (ended !== undefined) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      const one: Running = { index: undefined, end: reject };
      running.add(one);
      executor(request, signal).then(
        (response) => {
          running.remove(one);
          resolve(response);
        },
        (error: unknown) => {
          running.remove(one);
          reject(error);
        },
      );
    });
  };

  return Object.assign(execute, {
    async [Symbol.asyncDispose](): Promise<void> {
      ended = new GatewayError('GATEWAY_TIMEOUT', 'The operation took too long. Its supergraph was replaced and is no longer served.', {
        headers: { 'retry-after': '1' },
      });
      for (let index = 0; index < running.size; index += 1) running.at(index)?.end(ended);
      await executor[Symbol.asyncDispose]();
    },
  });
}
