import { createPrimaryClient, type PrimaryClient } from '../../../cli/workers/primary-client.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import type { RunPrimaryCall } from '../../../gateway/platform/primary-state.ts';

/**
 * Connects one of two workers to a primary in this process. Messages are copied as JSON, as between processes.
 *
 * @param run runs the calls; undefined for a primary that has ended
 */
export function connectToPrimary(run: RunPrimaryCall | undefined): PrimaryClient {
  const client: PrimaryClient = createPrimaryClient({
    workers: 2,
    clock: systemClock,
    send(message) {
      if (run === undefined || message.type !== 'calls') return false;
      const results = message.calls.map(([id, name, args]) => [id, run(name, copy(args) as readonly unknown[])] as const);
      setImmediate(() => client.receive({ type: 'results', results: copy(results) as typeof results }));
      return true;
    },
  });
  return client;
}

function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
