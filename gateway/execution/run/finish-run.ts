import { GatewayError } from '../../platform/errors.ts';
import { finishInTurns } from '../../platform/run-in-turn.ts';
import type { RunState } from './run-state.ts';

/**
 * Runs work on a large response in steps between which other requests are served. The steps end when the client has disconnected. At the
 * deadline they continue, because the caller receives the data that has arrived.
 *
 * @throws the reason that stops the operation, or the error of a step
 */
export function finishRun<T>(steps: Generator<undefined, T, undefined>, { run }: Pick<RunState, 'run'>): Promise<T> {
  return finishInTurns(untilStopped(steps, run.signal));
}

function* untilStopped<T>(steps: Generator<undefined, T, undefined>, signal: AbortSignal): Generator<undefined, T, undefined> {
  for (;;) {
    if (signal.aborted && !(signal.reason instanceof GatewayError)) throw signal.reason;
    const { done, value } = steps.next();
    if (done === true) return value;
    yield;
  }
}
