import { GraphQLError } from 'graphql';
import type { GatewayExecutor } from './gateway-interface.ts';

/** Ends the operations of the stock gateway, which waits for its subgraphs for ever. */
export interface StockDeadline {
  /** An executor whose operations end in time, with `GATEWAY_TIMEOUT`. */
  wrap(executor: GatewayExecutor): GatewayExecutor;
  /** Aborts at the end of the time of the operation with that context. */
  signalOf(context: object): AbortSignal;
}

/** @param timeoutMs until an operation must be answered @unit milliseconds */
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
          resolve({ errors: [new GraphQLError('The operation took too long.', { extensions: { code: 'GATEWAY_TIMEOUT' } })] });
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
