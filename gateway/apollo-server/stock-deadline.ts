import { GraphQLError } from 'graphql';
import type { GatewayExecutor } from './gateway-interface.ts';

/** Ends operations of the original gateway, which waits for its subgraphs without a limit. */
export interface StockDeadline {
  /** Wraps an executor, so that its operations end at the deadline with `GATEWAY_TIMEOUT`. */
  wrap(executor: GatewayExecutor): GatewayExecutor;
  /** Returns a signal that aborts at the deadline of the operation with this context. */
  signalOf(context: object): AbortSignal;
}

/** @param timeoutMs time for an operation. @unit milliseconds */
export function createStockDeadline(timeoutMs: number): StockDeadline {
  const signals = new WeakMap<object, AbortSignal>();
  return {
    signalOf: (context) => signals.get(context) ?? AbortSignal.timeout(timeoutMs),
    wrap: (executor) => async (request) => {
      const end = new AbortController();
      signals.set(request.context, end.signal);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Awaited<ReturnType<GatewayExecutor>>>((resolve) => {
        timer = setTimeout(() => {
          resolve({ errors: [new GraphQLError('The operation exceeded its time limit.', { extensions: { code: 'GATEWAY_TIMEOUT' } })] });
          end.abort(new Error(`The operation did not end within ${timeoutMs} ms.`));
        }, timeoutMs);
      });
      try {
        return await Promise.race([executor(request), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
